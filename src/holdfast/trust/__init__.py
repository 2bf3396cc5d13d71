"""A person's word on a memory: confirm, flag, pin, forget, restore."""
