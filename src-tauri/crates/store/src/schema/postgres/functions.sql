-- Functions that statements of the store use on both databases; SQLite has them in `driver/functions.rs`.

CREATE OR REPLACE FUNCTION text_fold(text) RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE AS
$$ SELECT lower(replace($1 COLLATE "C", 'ς', 'σ') COLLATE "und-x-icu") $$;

CREATE OR REPLACE FUNCTION text_plain(text) RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE AS
$$ SELECT lower(regexp_replace(normalize($1, NFD) COLLATE "C", U&'[\0300-\036F]', '', 'g') COLLATE "und-x-icu") $$;

-- A pattern whose last backslash, if it has nothing to escape, stands for itself.
CREATE OR REPLACE FUNCTION text_pattern(text) RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE AS
$$ SELECT CASE WHEN right($1, 1) COLLATE "C" = '\' AND length(substring($1 COLLATE "C" FROM '\\*$')) % 2 = 1
   THEN $1 || '\' ELSE $1 END $$;

CREATE OR REPLACE FUNCTION text_like(text, text) RETURNS boolean LANGUAGE sql IMMUTABLE PARALLEL SAFE AS
$$ SELECT $1 COLLATE "C" LIKE text_pattern($2) COLLATE "C" $$;

CREATE OR REPLACE FUNCTION text_ilike(text, text) RETURNS boolean LANGUAGE sql IMMUTABLE PARALLEL SAFE AS
$$ SELECT text_fold($1) COLLATE "C" LIKE text_pattern(text_fold($2)) COLLATE "C" $$;

CREATE OR REPLACE FUNCTION text_similar(text, text) RETURNS boolean LANGUAGE sql IMMUTABLE PARALLEL SAFE AS
$$ SELECT $1 COLLATE "und-x-icu" ~ similar_to_escape(text_pattern($2)) COLLATE "und-x-icu" $$;

CREATE OR REPLACE FUNCTION text_isimilar(text, text) RETURNS boolean LANGUAGE sql IMMUTABLE PARALLEL SAFE AS
$$ SELECT $1 COLLATE "und-x-icu" ~* similar_to_escape(text_pattern($2)) COLLATE "und-x-icu" $$;

CREATE OR REPLACE FUNCTION text_regex(text, text) RETURNS boolean LANGUAGE sql IMMUTABLE PARALLEL SAFE AS
$$ SELECT $1 COLLATE "und-x-icu" ~ $2 COLLATE "und-x-icu" $$;

CREATE OR REPLACE FUNCTION text_iregex(text, text) RETURNS boolean LANGUAGE sql IMMUTABLE PARALLEL SAFE AS
$$ SELECT $1 COLLATE "und-x-icu" ~* $2 COLLATE "und-x-icu" $$;

-- JSON as it was written.
CREATE OR REPLACE FUNCTION text_like(json, text) RETURNS boolean LANGUAGE sql IMMUTABLE PARALLEL SAFE AS
$$ SELECT text_like($1::text, $2) $$;
CREATE OR REPLACE FUNCTION text_ilike(json, text) RETURNS boolean LANGUAGE sql IMMUTABLE PARALLEL SAFE AS
$$ SELECT text_ilike($1::text, $2) $$;
CREATE OR REPLACE FUNCTION text_similar(json, text) RETURNS boolean LANGUAGE sql IMMUTABLE PARALLEL SAFE AS
$$ SELECT text_similar($1::text, $2) $$;
CREATE OR REPLACE FUNCTION text_isimilar(json, text) RETURNS boolean LANGUAGE sql IMMUTABLE PARALLEL SAFE AS
$$ SELECT text_isimilar($1::text, $2) $$;
CREATE OR REPLACE FUNCTION text_regex(json, text) RETURNS boolean LANGUAGE sql IMMUTABLE PARALLEL SAFE AS
$$ SELECT text_regex($1::text, $2) $$;
CREATE OR REPLACE FUNCTION text_iregex(json, text) RETURNS boolean LANGUAGE sql IMMUTABLE PARALLEL SAFE AS
$$ SELECT text_iregex($1::text, $2) $$;

-- The number a text begins with, 0 without one: what SQLite's CAST makes of it.
CREATE OR REPLACE FUNCTION text_number(text) RETURNS float8 LANGUAGE sql IMMUTABLE PARALLEL SAFE AS
$$ SELECT CASE WHEN $1 IS NULL THEN NULL ELSE coalesce(substring($1 COLLATE "C" FROM '^\s*([-+]?[0-9]+\.?[0-9]*|[-+]?\.[0-9]+)')::float8, 0) END $$;

CREATE OR REPLACE FUNCTION uuid_text(uuid) RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE AS
$$ SELECT $1::text $$;

CREATE OR REPLACE FUNCTION text_uuid(text) RETURNS uuid LANGUAGE sql IMMUTABLE PARALLEL SAFE AS
$$ SELECT CASE WHEN $1 COLLATE "C" ~ '^[0-9a-fA-F]{8}-?[0-9a-fA-F]{4}-?[0-9a-fA-F]{4}-?[0-9a-fA-F]{4}-?[0-9a-fA-F]{12}$' THEN $1::uuid END $$;

CREATE OR REPLACE FUNCTION time_start(timestamp, text) RETURNS timestamp LANGUAGE sql IMMUTABLE PARALLEL SAFE AS
$$ SELECT date_trunc($2, $1) $$;

CREATE OR REPLACE FUNCTION time_start(timestamptz, text) RETURNS timestamptz LANGUAGE sql IMMUTABLE PARALLEL SAFE AS
$$ SELECT date_trunc($2, $1, 'UTC') $$;

CREATE OR REPLACE FUNCTION time_start(date, text) RETURNS date LANGUAGE sql IMMUTABLE PARALLEL SAFE AS
$$ SELECT date_trunc($2, $1::timestamp)::date $$;

CREATE OR REPLACE FUNCTION json_order(json, json) RETURNS integer LANGUAGE sql IMMUTABLE PARALLEL SAFE AS
$$ SELECT CASE WHEN $1::jsonb < $2::jsonb THEN -1 WHEN $1::jsonb > $2::jsonb THEN 1 WHEN $1::jsonb = $2::jsonb THEN 0 END $$;

CREATE OR REPLACE FUNCTION json_sort_key(json) RETURNS jsonb LANGUAGE sql IMMUTABLE PARALLEL SAFE AS
$$ SELECT $1::jsonb $$;

-- Text that is JSON, with U+0000 as it was written: see `driver/postgres/nul.rs`.
CREATE OR REPLACE FUNCTION json_with_nul(text) RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE AS
$$ SELECT CASE WHEN strpos($1, '\u0001') = 0 THEN $1
   ELSE replace(replace($1, '\u0001\u0001', '\u0000'), '\u0001\u0002', '\u0001') END $$;

CREATE OR REPLACE FUNCTION json_print(json) RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE AS
$$ SELECT json_with_nul($1::jsonb::text) $$;

CREATE OR REPLACE FUNCTION json_holds(json, json) RETURNS boolean LANGUAGE sql IMMUTABLE PARALLEL SAFE AS
$$ SELECT $1::jsonb @> $2::jsonb $$;

CREATE OR REPLACE FUNCTION json_has_key(json, text) RETURNS boolean LANGUAGE sql IMMUTABLE PARALLEL SAFE AS
$$ SELECT jsonb_exists($1::jsonb, $2) $$;

-- Without blanks between its parts.
CREATE OR REPLACE FUNCTION json_compact(json) RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE AS
$$ SELECT json_with_nul(regexp_replace($1::text COLLATE "C", '("(?:[^"\\]|\\.)*")|\s+', '\1', 'g')) $$;

CREATE OR REPLACE FUNCTION json_text_at(json, text[]) RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE AS
$$ SELECT CASE WHEN json_typeof($1 #> $2) IN ('object', 'array') THEN json_compact($1 #> $2) ELSE $1 #>> $2 END $$;

CREATE OR REPLACE FUNCTION json_text(json, text) RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE AS
$$ SELECT CASE WHEN json_typeof($1) = 'object' THEN json_text_at($1, ARRAY[$2]) END $$;

CREATE OR REPLACE FUNCTION json_members(json) RETURNS TABLE (key bigint, value json) LANGUAGE sql IMMUTABLE PARALLEL SAFE AS
$$ SELECT place - 1, member FROM json_array_elements(CASE WHEN json_typeof($1) = 'array' THEN $1 ELSE '[]' END)
   WITH ORDINALITY AS members (member, place) $$;

-- As the service writes JSON: keys in the order of their bytes, no blanks.
CREATE OR REPLACE FUNCTION json_written(json) RETURNS text LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE AS $$
BEGIN
  RETURN CASE json_typeof($1)
    WHEN 'object' THEN (
      SELECT '{' || coalesce(string_agg(to_json(key)::text || ':' || json_written(value), ',' ORDER BY key COLLATE "C"), '') || '}'
      FROM json_each($1))
    WHEN 'array' THEN (
      SELECT '[' || coalesce(string_agg(json_written(value), ',' ORDER BY place), '') || ']'
      FROM json_array_elements($1) WITH ORDINALITY AS members (value, place))
    WHEN 'string' THEN to_json($1 #>> '{}')::text
    WHEN 'null' THEN 'null'
    ELSE $1 #>> '{}'
  END;
END $$;

CREATE OR REPLACE FUNCTION json_written(jsonb) RETURNS json LANGUAGE sql IMMUTABLE PARALLEL SAFE AS
$$ SELECT json_written($1::text::json)::json $$;

CREATE OR REPLACE FUNCTION json_concat(json, json) RETURNS json LANGUAGE sql IMMUTABLE PARALLEL SAFE AS
$$ SELECT json_written($1::jsonb || $2::jsonb) $$;

CREATE OR REPLACE FUNCTION json_without_key(json, text) RETURNS json LANGUAGE sql IMMUTABLE PARALLEL SAFE AS
$$ SELECT json_written(CASE WHEN json_typeof($1) IN ('object', 'array') THEN $1::jsonb - $2 ELSE $1::jsonb END) $$;

CREATE OR REPLACE FUNCTION json_without_element(json, bigint) RETURNS json LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE AS $$
BEGIN
  IF json_typeof($1) = 'object' THEN
    RAISE EXCEPTION USING ERRCODE = 'QD002',
      MESSAGE = 'cannot delete from object using integer index; `_delete_key` takes a key away';
  ELSIF json_typeof($1) <> 'array' THEN
    RAISE EXCEPTION USING ERRCODE = 'QD002', MESSAGE = 'cannot delete from scalar';
  END IF;
  RETURN json_written($1::jsonb - $2::integer);
END $$;

CREATE OR REPLACE FUNCTION json_without_path(json, json) RETURNS json LANGUAGE sql IMMUTABLE PARALLEL SAFE AS
$$ SELECT json_written(CASE WHEN json_typeof($1) IN ('object', 'array')
   THEN $1::jsonb #- ARRAY(SELECT json_array_elements_text($2)) ELSE $1::jsonb END) $$;

-- A text under a key of an object, or no such key where there is no text. What is neither an object nor null stays as it is.
CREATE OR REPLACE FUNCTION json_with_text(json, text, text) RETURNS json LANGUAGE sql IMMUTABLE PARALLEL SAFE AS
$$ SELECT CASE
  WHEN coalesce(json_typeof($1), 'null') NOT IN ('object', 'null') THEN $1
  WHEN coalesce(json_typeof($1), 'null') = 'null' AND $3 IS NULL THEN $1
  ELSE (
    SELECT ('{' || coalesce(string_agg(to_json(key)::text || ':' || value::text, ',' ORDER BY key COLLATE "C"), '') || '}')::json
    FROM (
      SELECT key, value FROM json_each(CASE WHEN json_typeof($1) = 'object' THEN $1 ELSE '{}' END) WHERE key <> $2
      UNION ALL SELECT $2, to_json($3) WHERE $3 IS NOT NULL
    ) AS members)
  END $$;

CREATE OR REPLACE FUNCTION decimal_add(numeric, numeric) RETURNS numeric LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE AS $$
BEGIN
  IF abs($1 + $2) >= 1e38 THEN
    RAISE EXCEPTION USING ERRCODE = 'QD001', MESSAGE = 'the sum needs more than 38 digits';
  END IF;
  RETURN $1 + $2;
END $$;

CREATE OR REPLACE FUNCTION int_add(bigint, bigint, integer) RETURNS bigint LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE AS $$
DECLARE
  total numeric := $1::numeric + $2::numeric;
BEGIN
  IF total >= 2::numeric ^ ($3 - 1) OR total < -(2::numeric ^ ($3 - 1)) THEN
    RAISE EXCEPTION USING ERRCODE = 'QD001', MESSAGE = format('the sum is no %s-bit integer', $3);
  END IF;
  RETURN total::bigint;
END $$;

CREATE OR REPLACE FUNCTION float_add(float8, float8) RETURNS float8 LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE AS $$
BEGIN
  RETURN $1 + $2;
EXCEPTION WHEN numeric_value_out_of_range THEN
  RAISE EXCEPTION USING ERRCODE = 'QD001', MESSAGE = 'the sum is beyond every float';
END $$;

-- Averages of decimals: sum and number of values, divided to 20 places or as many as the sum has, halves away from zero.
CREATE OR REPLACE FUNCTION decimal_avg_step(numeric[], numeric) RETURNS numeric[] LANGUAGE sql IMMUTABLE PARALLEL SAFE AS
$$ SELECT CASE WHEN $2 IS NULL THEN $1 ELSE ARRAY[$1[1] + $2, $1[2] + 1] END $$;

CREATE OR REPLACE FUNCTION decimal_avg_end(numeric[]) RETURNS numeric LANGUAGE sql IMMUTABLE PARALLEL SAFE AS
$$ SELECT CASE WHEN $1[2] > 0
   THEN round(sign($1[1]) * div(abs($1[1]) * 2 * ('1e' || greatest(20, scale(trim_scale($1[1]))))::numeric + $1[2], 2 * $1[2])
        * ('1e-' || greatest(20, scale(trim_scale($1[1]))))::numeric, greatest(20, scale(trim_scale($1[1])))) END $$;

CREATE OR REPLACE AGGREGATE decimal_avg(numeric) (sfunc = decimal_avg_step, stype = numeric[], initcond = '{0,0}', finalfunc = decimal_avg_end);

-- Averages of whole numbers: the exact sum as a float, divided by the number of values.
CREATE OR REPLACE FUNCTION whole_avg_end(numeric[]) RETURNS float8 LANGUAGE sql IMMUTABLE PARALLEL SAFE AS
$$ SELECT CASE WHEN $1[2] > 0 THEN $1[1]::float8 / $1[2]::float8 END $$;

CREATE OR REPLACE AGGREGATE whole_avg(numeric) (sfunc = decimal_avg_step, stype = numeric[], initcond = '{0,0}', finalfunc = whole_avg_end);

CREATE OR REPLACE FUNCTION json_group_step(text, json) RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE AS
$$ SELECT $1 || CASE WHEN $1 = '' THEN '' ELSE ',' END || coalesce($2::text, 'null') $$;

CREATE OR REPLACE FUNCTION json_group_end(text) RETURNS json LANGUAGE sql IMMUTABLE PARALLEL SAFE AS
$$ SELECT ('[' || $1 || ']')::json $$;

CREATE OR REPLACE AGGREGATE json_group_array(json) (sfunc = json_group_step, stype = text, initcond = '', finalfunc = json_group_end);

CREATE OR REPLACE FUNCTION json_entry_step(text, text, bigint) RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE AS
$$ SELECT CASE WHEN $2 IS NULL THEN $1
   ELSE $1 || CASE WHEN $1 = '' THEN '' ELSE ',' END || to_json($2)::text || ':' || coalesce($3::text, 'null') END $$;

CREATE OR REPLACE FUNCTION json_entry_end(text) RETURNS json LANGUAGE sql IMMUTABLE PARALLEL SAFE AS
$$ SELECT ('{' || $1 || '}')::json $$;

CREATE OR REPLACE AGGREGATE json_group_object(text, bigint) (sfunc = json_entry_step, stype = text, initcond = '', finalfunc = json_entry_end);

-- Of texts without case: the first and the last, by their bytes where only case differs.
CREATE OR REPLACE FUNCTION text_lesser(text, text) RETURNS text LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE AS
$$ SELECT CASE WHEN (text_fold($2) COLLATE "C", $2 COLLATE "C") < (text_fold($1) COLLATE "C", $1 COLLATE "C") THEN $2 ELSE $1 END $$;
CREATE OR REPLACE FUNCTION text_greater(text, text) RETURNS text LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE AS
$$ SELECT CASE WHEN (text_fold($2) COLLATE "C", $2 COLLATE "C") > (text_fold($1) COLLATE "C", $1 COLLATE "C") THEN $2 ELSE $1 END $$;
CREATE OR REPLACE AGGREGATE text_least(text) (sfunc = text_lesser, stype = text);
CREATE OR REPLACE AGGREGATE text_greatest(text) (sfunc = text_greater, stype = text);

CREATE OR REPLACE FUNCTION uuid_least(uuid, uuid) RETURNS uuid LANGUAGE sql IMMUTABLE PARALLEL SAFE AS
$$ SELECT least($1, $2) $$;
CREATE OR REPLACE FUNCTION uuid_greatest(uuid, uuid) RETURNS uuid LANGUAGE sql IMMUTABLE PARALLEL SAFE AS
$$ SELECT greatest($1, $2) $$;
CREATE OR REPLACE AGGREGATE min(uuid) (sfunc = uuid_least, stype = uuid);
CREATE OR REPLACE AGGREGATE max(uuid) (sfunc = uuid_greatest, stype = uuid);
CREATE OR REPLACE AGGREGATE min(boolean) (sfunc = booland_statefunc, stype = boolean);
CREATE OR REPLACE AGGREGATE max(boolean) (sfunc = boolor_statefunc, stype = boolean);

-- Gives a table another mark: see `marks.rs`.
CREATE OR REPLACE FUNCTION give_mark() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  EXECUTE format('UPDATE %I SET "mark" = uuid_send(gen_random_uuid())', TG_ARGV[0]);
  RETURN NULL;
END $$;

-- Forgets vectors of a thing, one of whose parts has changed: see `search/layout.rs`.
CREATE OR REPLACE FUNCTION forget_vectors() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  EXECUTE format('DELETE FROM %I WHERE "of" = ($1).%I', TG_ARGV[0], TG_ARGV[1]) USING OLD;
  RETURN NULL;
END $$;
