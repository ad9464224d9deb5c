import type { QueryLanguage } from '../../model/query';
import { type FilledText, fillText, type Slot } from './fillText';
import { mqlSlots } from './mql/mqlSlots';
import { sqlSlots } from './sql/sqlSlots';

/** A query whose parameters have their values. */
export interface FilledQuery extends FilledText {
  /** Parameters without a value, in order of appearance. They stand in the text as they were. */
  readonly missing: readonly string[];
}

/**
 * The names of the parameters of a query, each once, in order of appearance: `:part_id` and `{{part_id}}` in SQL,
 * `{{part_id}}` in pipelines. What is in comments, and a cast such as `::date`, is none.
 */
export function parametersOf(language: QueryLanguage, text: string): readonly string[] {
  return [...new Set(slotsOf(language, text).map(({ name }) => name))];
}

/**
 * Puts the values of parameters into a query. A value is always a value: whatever it holds, it ends up as a text
 * or number of the language, and never as a part of the query itself.
 */
export function fillParameters(
  language: QueryLanguage,
  text: string,
  values: Readonly<Record<string, string>>,
): FilledQuery {
  const slots = slotsOf(language, text);
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

function slotsOf(language: QueryLanguage, text: string): readonly Slot[] {
  return language === 'sql' ? sqlSlots(text) : mqlSlots(text);
}
