"""Cautions: notes to users whose data may mean something else than what was read from them."""
