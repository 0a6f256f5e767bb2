"""The formats of documents: one module each, and the registry that tries them."""
