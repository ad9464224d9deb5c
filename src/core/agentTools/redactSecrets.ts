import type { JsonValue } from '@bufbuild/protobuf';

/** Text that replaces a secret. */
export const REDACTED = '[redacted]';

/**
 * Names of attributes, environment variables, and columns whose values are secrets: their last word
 * is one of these, in any of the usual spellings (`apiKey`, `API_KEY`, `api-key`).
 */
const SECRET_NAME =
  /(?:^|[\W_])(?:pass(?:word|wd|phrase|code)|pwd|secrets?|tokens?|credentials?|authorization|cookie|(?:api|access|private|secret|signing|encryption|shared|account|auth|ssh|master)[\W_]?keys?|connection[\W_]?string|dsn|payload[\W_]?secret)$/i;

/** Returns true if values with this name are secrets. */
export function isSecretName(name: string): boolean {
  const words = name.replaceAll(/([a-z\d])([A-Z])/g, '$1_$2');
  return SECRET_NAME.test(words) || /^(?:apikey|accesskey|privatekey|secretkey)$/i.test(name);
}

/** Secrets that are recognizable by their form, wherever they are. */
const SECRET_FORMS: readonly (readonly [pattern: RegExp, replacement: string])[] = [
  [/-----BEGIN [A-Z ]*PRIVATE KEY-----[\s\S]*?(?:-----END [A-Z ]*PRIVATE KEY-----|$)/g, REDACTED],
  // JSON web tokens.
  [/\beyJ[\w-]{8,}\.[\w-]{8,}(?:\.[\w-]*)?/g, REDACTED],
  // Keys of cloud services and code hosts, which have a prefix.
  [/\b(?:AKIA|ASIA)[A-Z0-9]{16}\b/g, REDACTED],
  [/\b(?:gh[pousr]_|github_pat_|glpat-|xox[abprs]-|sk-|sk_live_|AIza)[\w-]{16,}/g, REDACTED],
  // User names and passwords in URLs.
  [/(\b[a-z][a-z0-9+.-]*:\/\/[^\s/:@'"]*):[^\s/@'"]+@/gi, `$1:${REDACTED}@`],
  [/\b(bearer|basic)\s+[\w.~+/=-]{8,}/gi, `$1 ${REDACTED}`],
  // Assignments such as `password=…` and `"api_key": "…"` in logs and commands.
  [
    /((?:\b|_)(?:pass(?:word|wd|phrase)|pwd|secret|token|credentials?|(?:api|access|private|secret|auth|account)[ _-]?key)["']?\s*[:=]\s*)(?:"[^"\n]*(?:"|$|(?=\n))|'[^'\n]*(?:'|$|(?=\n))|[^\s,;&"'}\])]+)/gi,
    `$1${REDACTED}`,
  ],
];

/** Words that can be the secrets of machines and API keys: base64 of random bytes. */
const WORD = /(?<![\w+/=-])[\w+/-]{32,128}={0,2}(?![\w+/=-])/g;

/**
 * Minimum proportion of characters that belong to another class than the previous one (uppercase,
 * lowercase, digit, other). It is about 0.64 for random base64 and less than 0.3 for names.
 */
const MIN_RANDOM_CHANGES = 0.38;

/** Names that consist of words and numbers, such as `FrontCamera-Hall-2024`. */
const NAME = /^(?:[A-Z]?[a-z]{2,}|[A-Z]{2,}|\d+|[_/+-])+$/;

function isRandom(word: string): boolean {
  if (NAME.test(word)) return false;
  if (!/[a-z]/.test(word) || !/[A-Z]/.test(word) || !/\d/.test(word)) return false;
  let changes = 0;
  for (let index = 1; index < word.length; index += 1) {
    if (getCharacterClass(word, index) !== getCharacterClass(word, index - 1)) changes += 1;
  }
  return changes / (word.length - 1) >= MIN_RANDOM_CHANGES;
}

function getCharacterClass(word: string, index: number): number {
  const code = word.charCodeAt(index);
  if (code >= 97 && code <= 122) return 0;
  if (code >= 65 && code <= 90) return 1;
  return code >= 48 && code <= 57 ? 2 : 3;
}

/**
 * Removes secrets from what agents read: values with the name of a secret, text in the form of a
 * secret, and the secrets that the caller knows. Text without a name and without a known form can't
 * be recognized.
 */
export class SecretRedactor {
  private readonly known: readonly string[];

  /** @param known secrets to remove wherever they are, such as the connection's API key */
  constructor(known: readonly string[] = []) {
    // A short text would match by accident.
    this.known = known.filter(({ length }) => length >= 8);
  }

  redactText(text: string): string {
    let redacted = this.redactKnown(text);
    for (const [pattern, replacement] of SECRET_FORMS) {
      redacted = redacted.replace(pattern, replacement);
    }
    return redacted.replace(WORD, (word) => (isRandom(word) ? REDACTED : word));
  }

  /** Removes only the known secrets, for IDs, which can look random. */
  redactKnown(text: string): string {
    return this.known.reduce((rest, secret) => rest.replaceAll(secret, REDACTED), text);
  }

  redactJson(value: JsonValue): JsonValue {
    if (typeof value === 'string') return this.redactText(value);
    if (Array.isArray(value)) return this.redactList(value);
    if (typeof value !== 'object' || value === null) return value;
    return Object.fromEntries(
      Object.entries(value).map(([name, member]) => [
        this.redactText(name),
        isSecretName(name) && hasContent(member) ? REDACTED : this.redactJson(member),
      ]),
    );
  }

  /**
   * Arguments such as `["--password", "…"]` and pairs such as `{"name": "TOKEN", "value": "…"}` have
   * the name beside the value.
   */
  private redactList(items: readonly JsonValue[]): JsonValue {
    return items.map((item, index) => {
      const before = items[index - 1];
      const isArgument =
        typeof item === 'string' &&
        typeof before === 'string' &&
        before.startsWith('-') &&
        isSecretName(before.replace(/^-+/, ''));
      if (isArgument) return REDACTED;
      if (typeof item === 'object' && item !== null && !Array.isArray(item)) {
        const name = item.name ?? item.key;
        if (typeof name === 'string' && isSecretName(name) && item.value !== undefined) {
          return this.redactJson({ ...item, value: REDACTED });
        }
      }
      return this.redactJson(item);
    });
  }

  /** Redacts a JSON document, or any other text. Keeps the text of a document without secrets. */
  redactDocument(text: string): string {
    let value: JsonValue;
    try {
      value = JSON.parse(text) as JsonValue;
    } catch {
      return this.redactText(text);
    }
    const redacted = this.redactJson(value);
    const isSame = JSON.stringify(redacted) === JSON.stringify(value);
    // The text has the digits of numbers, which a parsed value can lack.
    return isSame ? text : JSON.stringify(redacted, undefined, 2);
  }
}

/** Returns true for values that can be a secret, unlike a flag or an empty text. */
function hasContent(value: JsonValue): boolean {
  return value !== null && value !== '' && typeof value !== 'boolean';
}
