"""Full screens. Only here is Textual imported, and only by the command that shows one."""
