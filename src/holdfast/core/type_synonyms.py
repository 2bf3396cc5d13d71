"""What people call memory types, in English and French."""

from __future__ import annotations

SYNONYMS = {
    **dict.fromkeys(("rule", "convention", "constraint", "policy", "instruction", "guideline"), "requirement"),
    **dict.fromkeys(("règle", "regle", "exigence", "contrainte", "consigne"), "requirement"),
    **dict.fromkeys(("note", "info", "statement", "todo", "task", "fait", "tâche"), "fact"),
    **dict.fromkeys(("bug", "error", "failure", "fix", "bogue", "erreur"), "error_pattern"),
    **dict.fromkeys(("warning", "pitfall", "caveat", "trap", "tip", "lesson", "piège"), "gotcha"),
    **dict.fromkeys(("choice", "adr", "choix", "décision"), "decision"),
    **dict.fromkeys(("style", "préférence"), "preference"),
    **dict.fromkeys(("message", "turn", "chat"), "episode"),
    **dict.fromkeys(("summary", "insight"), "reflection"),
}
