"""The one door out: find, fuse, score, abstain, pack."""
