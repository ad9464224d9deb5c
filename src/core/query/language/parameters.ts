import type { QueryLanguage } from '../../model/query';
import { type FilledText, fillText, type Slot } from './fillText';
import { mqlSlots } from './mql/mqlSlots';
import { sqlSlots } from './sql/sqlSlots';

/** Query text in which the parameters are replaced with their values. */
export interface FilledQuery extends FilledText {
  /** Parameters without a value, in order of appearance. They remain unchanged in the text. */
  readonly missing: readonly string[];
}

/**
 * Returns the distinct names of a query's parameters, in order of appearance: `:part_id` and
 * `{{part_id}}` in SQL, `{{part_id}}` in pipelines. Ignores comments, and casts such as `::date`.
 */
export function listParameters(language: QueryLanguage, text: string): readonly string[] {
  return [...new Set(findSlots(language, text).map(({ name }) => name))];
}

/**
 * Replaces a query's parameters with their values. Each value becomes a string or number in the
 * query language, regardless of its content, so it can't change the query itself.
 */
export function fillParameters(
  language: QueryLanguage,
  text: string,
  values: Readonly<Record<string, string>>,
): FilledQuery {
  const slots = findSlots(language, text);
  const known = slots.filter(({ name }) => Object.hasOwn(values, name));
  const missing = slots.filter((slot) => !known.includes(slot)).map(({ name }) => name);
  return {
    ...fillText(
      text,
      known.map((slot) => ({ ...slot, insert: slot.write(values[slot.name] ?? '') })),
    ),
    missing: [...new Set(missing)],
  };
}

function findSlots(language: QueryLanguage, text: string): readonly Slot[] {
  return language === 'sql' ? sqlSlots(text) : mqlSlots(text);
}
