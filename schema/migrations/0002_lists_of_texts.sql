-- Columns of type [String!] held whatever was written: a text, an object, a list of other things.
-- One value becomes a list of one; what is no text becomes the text that stands for it. Nothing is lost.
-- Tables that earlier versions added columns to lack the foreign keys of these columns, so every table that differs is made anew.
-- rebuild: *

SELECT 'llm_agent.tools was no list of texts: ' || hex(id) || ' had ' || tools FROM llm_agent
WHERE tools IS NOT text_list(tools);
UPDATE llm_agent SET tools = text_list(tools) WHERE tools IS NOT text_list(tools);

SELECT 'llm_agent.system_prompt_variables was no list of texts: ' || hex(id) || ' had ' || system_prompt_variables FROM llm_agent
WHERE system_prompt_variables IS NOT text_list(system_prompt_variables);
UPDATE llm_agent SET system_prompt_variables = text_list(system_prompt_variables) WHERE system_prompt_variables IS NOT text_list(system_prompt_variables);

SELECT 'llm_agent_extension.tools was no list of texts: ' || hex(agent_id) || ' had ' || tools FROM llm_agent_extension
WHERE tools IS NOT text_list(tools);
UPDATE llm_agent_extension SET tools = text_list(tools) WHERE tools IS NOT text_list(tools);

SELECT 'llm_function.variables was no list of texts: ' || hex(id) || ' had ' || variables FROM llm_function
WHERE variables IS NOT text_list(variables);
UPDATE llm_function SET variables = text_list(variables) WHERE variables IS NOT text_list(variables);

SELECT 'dw_queries.table_names was no list of texts: ' || hex(id) || ' had ' || table_names FROM dw_queries
WHERE table_names IS NOT text_list(table_names);
UPDATE dw_queries SET table_names = text_list(table_names) WHERE table_names IS NOT text_list(table_names);
