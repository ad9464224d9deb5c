import type { JsonValue } from '@bufbuild/protobuf';

/** Text that replaces a secret. */
export const REDACTED = '[redacted]';

/** Names of keys that are secrets, such as `api_key`, without the last word. */
const SECRET_KEYS =
  '(?:api|access|private|secret|signing|encryption|shared|account|auth|ssh|master)';

/**
 * Names of attributes, environment variables, and columns whose values are secrets: their last word
 * is one of these, in any of the usual spellings (`apiKey`, `API_KEY`, `api-key`), with or without a
 * number.
 */
const SECRET_NAME = new RegExp(
  String.raw`(?:(?:^|[\W_])(?:pwd|psk|jwt|secrets?|tokens?|credentials?|authorization|cookies?|dsn)|pass(?:wd|(?:word|phrase|code|key)s?)|(?:user|db|wifi|mqtt|smtp)[\W_]?pass|${SECRET_KEYS}[\W_]?keys?|connection[\W_]?string)[\W_]?\d*$`,
  'i',
);

/** Returns true if values with this name are secrets. */
export function isSecretName(name: string): boolean {
  const words = name
    .replaceAll(/([a-z\d])([A-Z])/g, '$1_$2')
    // The last capital of `AWSSecret` belongs to the next word.
    .replaceAll(/([A-Z])([A-Z][a-z])/g, '$1_$2');
  return SECRET_NAME.test(words);
}

/**
 * Names of secrets in text, which can be the end of a longer name, such as `dbPassword`. `/etc/passwd`
 * is the path of a file without secrets.
 */
const NAME_IN_TEXT = `(?:(?<!/etc/)passwd|pass(?:word|phrase|code|key)s?|pwd|psk|jwt|secrets?|tokens?|credentials?|authorization|dsn|${SECRET_KEYS}[ _-]?keys?|connection[ _-]?string)\\d*`;

/** Names of schemes before the credentials of an `Authorization` header. */
const SCHEME = '(?:token|digest|apikey|bearer|basic)';

/** Start of text that can be a JSON document. */
const JSON_START = /^\s*[[{]/;

/** A string, a bracket, or the end of a string that is cut off, in JSON. */
const JSON_TOKEN = /"(?:[^"\\]|\\[^])*(?:"|$)|[[\]{}]/g;

/**
 * Maximum number of times that a message is read to find JSON in it: each bracket that isn't the
 * start of JSON can cause the rest of the message to be read.
 */
const MAX_READS = 16;

/**
 * Secrets that are recognizable by their form, wherever they are. Anyone can write the text, so each
 * pattern must take linear time: where a match can start, no earlier match attempt has passed.
 */
const SECRET_FORMS: readonly (readonly [pattern: RegExp, replacement: string])[] = [
  [/-----BEGIN [A-Z ]*PRIVATE KEY-----[\s\S]*?(?:-----END [A-Z ]*PRIVATE KEY-----|$)/g, REDACTED],
  // JSON web tokens.
  [/(?<![\w-])eyJ[\w-]{8,}\.[\w-]{8,}(?:\.[\w-]*)?/g, REDACTED],
  // Keys of cloud services and code hosts, which have a prefix.
  [/\b(?:AKIA|ASIA)[A-Z0-9]{16}\b/g, REDACTED],
  [/\b(?:gh[pousr]_|github_pat_|glpat-|xox[abprs]-|sk-|sk_live_|AIza)[\w-]{16,}/g, REDACTED],
  // User names and passwords in URLs. Passwords can contain an at sign.
  [/(:\/\/[^\s/:@'"]*):[^\s/'"]+@/g, `$1:${REDACTED}@`],
  [
    new RegExp(String.raw`(\bauthorization["']?\s*[:=]\s*["']?${SCHEME}\s+)[^\s"']+`, 'gi'),
    `$1${REDACTED}`,
  ],
  [/\b(bearer|basic)\s+[\w.~+/=-]{8,}/gi, `$1 ${REDACTED}`],
  [/(\b(?:set-)?cookie["']?\s*[:=]\s*["']?)[^\s"'=;]+=[^\n"']*/gi, `$1${REDACTED}`],
  // Quoted assignments such as `"api_key": "…"`, whose quotes are escaped in JSON inside JSON.
  [
    new RegExp(
      String.raw`(${NAME_IN_TEXT}\\*["']?\s*[:=]\s*)(?<escape>\\*)(?<quote>["'])[^\n]*?(?:(?<!\\)\k<escape>\k<quote>|$|(?=\n))`,
      'gi',
    ),
    `$1$<escape>$<quote>${REDACTED}$<escape>$<quote>`,
  ],
  // Assignments such as `password=…` in logs and commands.
  [
    new RegExp(
      String.raw`(${NAME_IN_TEXT}["']?\s*[:=]\s*)(?!(?:${SCHEME}\s+)?\[redacted\]|(?:true|false|null)\b)[^\s,;&"'\\}\])]+`,
      'gi',
    ),
    `$1${REDACTED}`,
  ],
  // Options such as `--password …`.
  [
    new RegExp(
      String.raw`((?<![\w-])--?[\w-]{0,64}?${NAME_IN_TEXT}\s+)(?!\[redacted\]|-)(?:"[^"\n]*"?|'[^'\n]*'?|[^\s"']+)`,
      'gi',
    ),
    `$1${REDACTED}`,
  ],
];

/** Words that can be the secrets of machines and API keys: base64 of random bytes. */
const WORD = /(?<![\w+/-])[\w+/-]{32,}={0,2}(?![\w+/=-])/g;

/**
 * Minimum proportion of characters that belong to another class than the previous one (uppercase,
 * lowercase, digit, other). It is about 0.64 for random base64 and less than 0.3 for names.
 */
const MIN_RANDOM_CHANGES = 0.38;

/**
 * Names that consist of words and numbers, such as `FrontCamera-Hall-2024`. Each part ends where the
 * next one must begin: otherwise, the number of ways to divide a text would grow exponentially.
 */
const NAME = /^(?:[A-Z]*[a-z]{2,}(?![a-z])|[A-Z]{2,}(?![A-Za-z])|\d+(?!\d)|[_/+-])+$/;

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

/** Minimum length of a secret that is replaced inside of other texts. */
const MIN_KNOWN_LENGTH = 8;
/**
 * Minimum length of a secret that is replaced if it is the whole text or number. Shorter ones, such as
 * the number 1, are too common as ordinary values.
 */
const MIN_SHORT_LENGTH = 4;

/**
 * Removes secrets from what agents read: values with the name of a secret, text in the form of a
 * secret, and the secrets that the caller knows. Text without a name and without a known form can't
 * be recognized.
 */
export class SecretRedactor {
  /** Longest first, because a secret can contain another one. */
  private known: readonly string[] = [];
  /** Secrets that are too short to be replaced inside of other texts. */
  private readonly short = new Set<string>();

  /** @param known secrets to remove wherever they are, such as the connection's API key */
  constructor(known: readonly string[] = []) {
    this.add(known);
  }

  /**
   * Also removes the secrets of a config wherever they are from now on, because a resolved config or
   * a message can contain them without their names.
   */
  addSecretsOf(config: unknown): void {
    try {
      const value = config as JsonValue;
      const secrets = this.findSecrets(value, this.redactJson(value));
      // Redacting a value such as `password` would only remove the names of members.
      this.add(secrets.filter((text) => !/^[a-z_-]+$/i.test(text) || !isSecretName(text)));
    } catch (error) {
      // Nested too deeply. Such a config can't be resolved.
      if (!(error instanceof RangeError)) throw error;
    }
  }

  /** Returns the texts and numbers in the values that were replaced completely. */
  private findSecrets(value: JsonValue, redacted: JsonValue | undefined): readonly string[] {
    if (typeof value === 'string' || typeof value === 'number') {
      return redacted === REDACTED && value !== REDACTED ? [String(value)] : [];
    }
    if (typeof value !== 'object' || value === null) return [];
    const isWhole = typeof redacted !== 'object' || redacted === null;
    return Object.entries(value).flatMap(([name, member]) => {
      const key = this.redactText(name) as keyof typeof redacted;
      return this.findSecrets(member, isWhole ? redacted : redacted[key]);
    });
  }

  private add(secrets: readonly string[]): void {
    // Inside of other texts, a short text would match by accident.
    const long = secrets.filter(({ length }) => length >= MIN_KNOWN_LENGTH);
    for (const secret of secrets) {
      if (secret.length >= MIN_SHORT_LENGTH && secret.length < MIN_KNOWN_LENGTH) {
        this.short.add(secret);
      }
    }
    if (long.every((secret) => this.known.includes(secret))) return;
    this.known = [...new Set([...this.known, ...long])].sort((a, b) => b.length - a.length);
  }

  redactText(text: string): string {
    // Values in comparisons are JSON.
    if (this.short.has(text) || this.short.has(text.replace(/^"(.*)"$/, '$1'))) return REDACTED;
    let redacted = this.redactKnown(text);
    for (const [pattern, replacement] of SECRET_FORMS) {
      redacted = redacted.replace(pattern, replacement);
    }
    return redacted.replace(WORD, (word) => (isRandom(word) ? REDACTED : word));
  }

  /** Redacts text that can be or contain JSON documents, such as a log message. */
  redactMessage(text: string): string {
    // The patterns also find what a parser drops: the first of two members with the same name.
    return this.redactText(this.redactDocumentsIn(text));
  }

  /**
   * Redacts the JSON documents in a text, and keeps the text around them. If it has too many brackets
   * to find them all, redacts the rest.
   */
  private redactDocumentsIn(text: string): string {
    let redacted = '';
    let copiedEnd = 0;
    let remaining = MAX_READS * text.length;
    const starts = /[[{]/g;
    for (let start = starts.exec(text); start; start = starts.exec(text)) {
      // Escape sequences for colors contain brackets, too.
      if (text[start.index - 1] === '\u001b') continue;
      const end = findClosingBracket(text, start.index);
      const document = end === undefined ? undefined : text.slice(start.index, end);
      if (document === undefined || end === undefined || !isJson(document)) {
        remaining -= (end ?? text.length) - start.index;
        if (remaining <= 0) return redacted + text.slice(copiedEnd, start.index) + REDACTED;
        continue;
      }
      redacted += text.slice(copiedEnd, start.index) + this.redactDocument(document);
      copiedEnd = end;
      starts.lastIndex = end;
    }
    return redacted + text.slice(copiedEnd);
  }

  /** Returns true for a known secret that isn't part of another text. */
  private isKnown(text: string): boolean {
    return this.short.has(text) || this.known.includes(text);
  }

  /** Removes only the known secrets, for IDs, which can look random. */
  redactKnown(text: string): string {
    return this.known.reduce((rest, secret) => rest.replaceAll(secret, REDACTED), text);
  }

  redactJson(value: JsonValue): JsonValue {
    if (typeof value === 'string') {
      return JSON_START.test(value) ? this.redactDocument(value) : this.redactText(value);
    }
    if (typeof value === 'number') return this.isKnown(String(value)) ? REDACTED : value;
    if (Array.isArray(value)) return this.redactList(value);
    if (typeof value !== 'object' || value === null) return value;
    const pairName = value.name ?? value.key;
    // Pairs such as `{"name": "TOKEN", "value": "…"}` have the name beside the value.
    const isPair = typeof pairName === 'string' && isSecretName(pairName);
    return Object.fromEntries(
      Object.entries(value).map(([name, member]) => {
        const isSecret = isSecretName(name) || (isPair && name === 'value');
        return [
          this.redactText(name),
          isSecret && hasContent(member) ? REDACTED : this.redactJson(member),
        ];
      }),
    );
  }

  /** Arguments such as `["--password", "…"]` have the name before the value. */
  private redactList(items: readonly JsonValue[]): JsonValue {
    return items.map((item, index) => {
      const before = items[index - 1];
      const isArgument =
        typeof item === 'string' &&
        typeof before === 'string' &&
        before.startsWith('-') &&
        isSecretName(before.replace(/^-+/, ''));
      return isArgument ? REDACTED : this.redactJson(item);
    });
  }

  /** Redacts a JSON document, or any other text. Keeps the text of a document without secrets. */
  redactDocument(text: string): string {
    let value: JsonValue;
    let redacted: JsonValue;
    try {
      value = JSON.parse(text) as JsonValue;
      redacted = this.redactJson(value);
    } catch {
      // Not JSON, or nested too deeply.
      return this.redactText(text);
    }
    const isSame = JSON.stringify(redacted) === JSON.stringify(value);
    // The text has the digits of numbers, which a parsed value can lack.
    return isSame ? text : JSON.stringify(redacted, undefined, 2);
  }
}

/** Returns the offset after the bracket that closes another one; undefined if none does. */
function findClosingBracket(text: string, start: number): number | undefined {
  const tokens = new RegExp(JSON_TOKEN);
  tokens.lastIndex = start;
  let depth = 0;
  for (let token = tokens.exec(text); token; token = tokens.exec(text)) {
    if (token[0] === '{' || token[0] === '[') depth += 1;
    else if (token[0] === '}' || token[0] === ']') depth -= 1;
    if (depth === 0) return tokens.lastIndex;
  }
  return undefined;
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

/** Returns true for values that can be a secret, unlike a flag or an empty text. */
function hasContent(value: JsonValue): boolean {
  return value !== null && value !== '' && typeof value !== 'boolean';
}
