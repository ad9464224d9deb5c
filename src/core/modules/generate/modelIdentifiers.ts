import type { ModuleLanguage } from './moduleApi';

/** How code calls a model. */
export interface ModelIdentifiers {
  readonly className: string;
  /** What the model is called where it is put together with others. */
  readonly constant: string;
  /** Without extension. */
  readonly fileName: string;
}

/** Names of the templates that end in the same words as a class of theirs may. */
const TAKEN: ReadonlySet<string> = new Set(['GenericService', 'ResourceBase']);

/**
 * Makes identifiers of the name of a model, which may have whatever characters: letters and digits
 * of it remain, and they end with the noun of the API.
 */
export function modelIdentifiers(
  modelName: string,
  noun: readonly string[],
  language: ModuleLanguage,
): ModelIdentifiers {
  const words = identifierWords(modelName, noun);
  const className = words.map(capitalized).join('');
  const constant = className.charAt(0).toLowerCase() + className.slice(1);
  return {
    className,
    constant,
    fileName: language === 'python' ? words.join('_').toLowerCase() : constant,
  };
}

function identifierWords(modelName: string, noun: readonly string[]): readonly string[] {
  const own = modelName
    .replace(/([a-z0-9])([A-Z])/g, '$1 $2')
    .split(/[^A-Za-z0-9]+/)
    .filter((word) => word !== '');
  const endsWithNoun = folded(own.slice(-noun.length)) === folded(noun);
  const words = [...(endsWithNoun ? own.slice(0, -noun.length) : own), ...noun];
  const needsMore =
    words.length === noun.length ||
    /^[0-9]/.test(words[0] ?? '') ||
    TAKEN.has(words.map(capitalized).join(''));
  return needsMore ? ['My', ...words] : words;
}

function folded(words: readonly string[]): string {
  return words.join(' ').toLowerCase();
}

function capitalized(word: string): string {
  return word.charAt(0).toUpperCase() + word.slice(1);
}
