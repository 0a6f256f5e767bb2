"""Reviews with their history, failure modes and queues."""
