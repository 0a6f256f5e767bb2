"""Files, archives, folders and streams: which are read, and how their bytes are unpacked."""
