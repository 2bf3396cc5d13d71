-- When an operation was made, and the order in which operations were undone: 0 not undone, 1 undone before this order
-- was stored. After an undo, the values in `operation_changes.before` are those that a redo brings back.
alter table operations add column at text;
