import { check, complete } from '../../../../../src/core/query/language/queryLanguage';
import type { QueryLanguage } from '../../../../../src/core/model/query';
import { sampledSchema } from '../../../../../src/core/query/schema/sampledSchema';

/** A schema with sensors and motors, as found in payloads. */
export const schema = sampledSchema([
  {
    component_name: 'outside',
    component_type: 'rdk:component:sensor',
    method_name: 'Readings',
    data: {
      readings: { temperature: 20.5, 'wind speed': 3, place: { lat: 1, lng: 2 }, tags: ['a'] },
    },
  },
  {
    component_name: "motor's",
    component_type: 'rdk:component:motor',
    method_name: 'Position',
    data: { position: 3 },
  },
]);

/** Returns the labels of the suggestions at `|`. */
export function suggestions(language: QueryLanguage, marked: string): string[] {
  return suggested(language, marked).options.map(({ label }) => label);
}

export function suggested(
  language: QueryLanguage,
  marked: string,
): ReturnType<typeof complete> & { readonly text: string; readonly offset: number } {
  const offset = marked.indexOf('|');
  const text = marked.replace('|', '');
  return { ...complete({ language, text }, offset, schema, { explicit: true }), text, offset };
}

/** Returns the text after a suggestion is applied; placeholders without a default text become 0. */
export function acceptSuggestion(language: QueryLanguage, marked: string, label: string): string {
  const { from, to, options, text, offset } = suggested(language, marked);
  const option = options.find((one) => one.label === label);
  if (!option) throw new Error(`"${label}" is not suggested at ${marked}`);
  const insert = option.insert ?? option.label;
  const plain = option.isSnippet ? toPlainText(insert) : insert;
  return text.slice(0, from) + plain + text.slice(to ?? offset);
}

function toPlainText(snippet: string): string {
  return snippet
    .replaceAll('$0', '')
    .replaceAll(/(?<!\\)(?:\$\{\d+:?([^{}]*)\}|\$\d)/g, (_place, text?: string) =>
      text === undefined || text === '' ? '0' : text,
    )
    .replaceAll('\\$', '$');
}

/** Returns the rules that a query violates, each with the subject of the violation. */
export function rules(language: QueryLanguage, text: string, recent?: boolean): string[] {
  return check({ language, text, recent }, schema).map(({ rule, subject }) =>
    subject === '' ? rule : `${rule} ${subject}`,
  );
}

/** Returns the text after the first fix of a rule's first diagnostic is applied. */
export function fixed(language: QueryLanguage, text: string, rule: string): string {
  const diagnostic = check({ language, text }, schema).find((one) => one.rule === rule);
  const edits = diagnostic?.fixes[0]?.edits ?? [];
  return edits
    .toSorted((a, b) => b.start - a.start)
    .reduce(
      (done, { start, end, insert }) => done.slice(0, start) + insert + done.slice(end),
      text,
    );
}
