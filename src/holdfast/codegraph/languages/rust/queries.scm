; The places of a Rust file that the code graph records. `extract.py` and `declared/reading.py` read each capture by name.

(struct_item) @class
(union_item) @class
(enum_item) @enum
(trait_item) @interface
(type_item) @type
(associated_type) @type
(function_item) @function
(function_signature_item) @function
(macro_definition) @function
(mod_item body: (_)) @module
(impl_item) @block
(closure_expression) @block

(use_declaration) @import
(extern_crate_declaration) @import
(mod_item !body) @import

(field_declaration) @variable
(enum_variant) @variable
(const_item) @variable
(static_item) @variable
(let_declaration) @variable
(let_condition) @variable
(for_expression) @variable
(match_arm) @variable

(call_expression function: [(identifier) (scoped_identifier) (field_expression) (generic_function)]) @call
(macro_invocation) @call
(macro_invocation (token_tree) @tokens)

(type_identifier) @type_name

; Names that are used as values: passed, stored, returned, compared.
(scoped_identifier) @read
(field_expression) @read
(arguments (identifier) @read)
(field_initializer value: (identifier) @read)
(binary_expression (identifier) @read)
(reference_expression value: (identifier) @read)
(let_declaration value: (identifier) @read)
(tuple_struct_pattern type: (identifier) @read)
(match_pattern (identifier) @read)
