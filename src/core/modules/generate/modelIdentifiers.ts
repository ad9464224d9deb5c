import type { ModuleLanguage } from './moduleApi';

/** Identifiers of a model in code. */
export interface ModelIdentifiers {
  readonly className: string;
  /** Name of the model's constant, for use in the file that registers the models. */
  readonly constant: string;
  /** File name without its extension. */
  readonly fileName: string;
}

/** Names in the templates that a generated class name could collide with. */
const TAKEN: ReadonlySet<string> = new Set(['GenericService', 'ResourceBase']);

/**
 * Derives identifiers from the name of a model, which can contain any characters. Keeps its letters
 * and digits, and ends with the noun of the API.
 */
export function modelIdentifiers(
  modelName: string,
  noun: readonly string[],
  language: ModuleLanguage,
): ModelIdentifiers {
  const words = toIdentifierWords(modelName, noun);
  const className = words.map(capitalized).join('');
  const constant = className.charAt(0).toLowerCase() + className.slice(1);
  return {
    className,
    constant,
    fileName: language === 'python' ? words.join('_').toLowerCase() : constant,
  };
}

function toIdentifierWords(modelName: string, noun: readonly string[]): readonly string[] {
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
