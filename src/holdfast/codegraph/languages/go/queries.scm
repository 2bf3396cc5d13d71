; The places of a Go file that the code graph records. `extract.py` and `declared/reading.py` read each capture by name.

(type_spec type: (struct_type)) @class
(type_spec type: (interface_type)) @interface
(type_spec type: [
  (type_identifier) (qualified_type) (pointer_type) (slice_type) (array_type) (map_type) (channel_type) (function_type)
  (generic_type) (parenthesized_type)
]) @type
(type_alias) @type
(function_declaration) @function
(method_declaration) @method
(method_elem) @method
(func_literal) @block

(package_clause) @package
(import_spec) @import

(field_declaration) @variable
(var_spec) @variable
(const_spec) @variable
(short_var_declaration) @variable
(range_clause) @variable
(type_switch_statement) @variable

(call_expression function: [(identifier) (selector_expression) (parenthesized_expression)]) @call
(call_expression function: (index_expression)) @call
(type_conversion_expression) @call

(type_identifier) @type_name

; Names that are used as values: passed, stored, returned, compared.
(selector_expression) @read
(argument_list (identifier) @read)
(expression_list (identifier) @read)
(literal_element (identifier) @read)
(binary_expression (identifier) @read)
(unary_expression (identifier) @read)
(index_expression (identifier) @read)
(var_spec value: (expression_list (identifier) @read))
(range_clause right: (identifier) @read)
(send_statement value: (identifier) @read)
