; The places of a Python file that the code graph records. `extract.py` reads each capture by its name.

(class_definition) @class
(function_definition) @function
(decorated_definition) @decorated
(decorator [(identifier) (attribute)] @decorator)

(import_statement) @import
(import_from_statement) @import

(call function: [(identifier) (attribute) (call) (subscript)]) @call
(attribute) @attribute
(type) @type

; Names that are used as values: passed, stored, returned, compared.
(argument_list (identifier) @name)
(keyword_argument value: (identifier) @name)
(assignment right: (identifier) @name)
(augmented_assignment right: (identifier) @name)
(return_statement (identifier) @name)
(list (identifier) @name)
(tuple (identifier) @name)
(set (identifier) @name)
(pair (identifier) @name)
(expression_list (identifier) @name)
(subscript (identifier) @name)
(for_statement right: (identifier) @name)
(for_in_clause right: (identifier) @name)
(comparison_operator (identifier) @name)
(not_operator (identifier) @name)
(if_statement condition: (identifier) @name)
(conditional_expression (identifier) @name)
(default_parameter value: (identifier) @name)
(typed_default_parameter value: (identifier) @name)
(interpolation (identifier) @name)
(raise_statement (identifier) @name)
(except_clause value: (identifier) @name)
(except_clause value: (as_pattern . (identifier) @name))
(except_clause value: (tuple (identifier) @name))
(except_clause value: (as_pattern . (tuple (identifier) @name)))
(list_splat (identifier) @name)
(dictionary_splat (identifier) @name)
(assert_statement (identifier) @name)
(class_pattern (dotted_name) @pattern)

(assignment) @assignment
(named_expression) @walrus
(type_alias_statement) @alias
(for_statement) @loop
(for_in_clause) @loop
(with_item value: (as_pattern)) @with
(except_clause value: (as_pattern)) @except
(return_statement) @return
(yield) @yield
