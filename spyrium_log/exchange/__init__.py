"""Forms that others read: one-file HTML, JSON, CSV. Bytes come back; who asked writes them."""
