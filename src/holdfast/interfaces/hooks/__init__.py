"""Hooks of agent programs: each call reads the program's JSON, takes one turn and answers in the program's form."""
