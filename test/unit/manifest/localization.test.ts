import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { localizedStrings } from '../../../scripts/support/localizedStrings';

const root = join(__dirname, '../../..');

type Texts = Readonly<Record<string, string>>;

function read(file: string): Texts {
  return JSON.parse(readFileSync(join(root, file), 'utf8')) as Texts;
}

/**
 * Returns the placeholders, command links, and icons of a string, which translations must preserve.
 */
function marks(text: string): readonly string[] {
  return (text.match(/\{\d+\}|\(command:[\w.]+\)|\$\([\w-]+\)/g) ?? []).toSorted();
}

/** Returns a string without case, punctuation, and values, so that near-duplicates become equal. */
function normalized(text: string): string {
  return text
    .replaceAll(/\{\d+\}/g, ' {} ')
    .replaceAll(/[.,:;!"'()–-]+/g, ' ')
    .replaceAll(/\s+/g, ' ')
    .trim()
    .toLowerCase();
}

/**
 * Returns a label as it appears within a line: for example, `Offline` and `offline` don't count as
 * duplicates.
 */
function asWithinLine(text: string): string {
  return text.charAt(0).toLowerCase() + text.slice(1);
}

/** Patterns of unidiomatic English, by the text to write instead. */
const UNIDIOMATIC: Readonly<Record<string, RegExp>> = {
  '"can", "might" or "must" instead of "may"': /\bmay\b/i,
  '"no longer" instead of "not any more"': /\bany ?more\b/i,
  '"doesn\'t exist" instead of "is not there"': /\b(?:is|are) (?:not|no longer) there\b/i,
  '"image" instead of "picture"': /\bpictures?\b/i,
  '"everyone", "someone" or "no one"': /\b(?:every|some|no)body\b/i,
  '"outside" and "inside" without "of"': /\b(?:out|in)side of\b/i,
  '"is not a" instead of "is no"': /(?<!\bthere )\bis no (?!longer\b)/i,
  'straight quotation marks': /[“”‘’]/,
  '"…" instead of three periods': /\.\.\./,
  'a percent sign right after its number': /[\d}] %/,
};

/**
 * Patterns of sentence fragments, which can't be translated because they make sense only when
 * joined with other strings.
 */
const FRAGMENT: readonly RegExp[] = [
  /^[\s,;:.)]/,
  /[\s,;]$/,
  /^(?:and|but|for|of|or|that|those|what|which|whether|who)\b/,
  /\b(?:a|an|and|or|the)$|^\S+ of$/,
  /[{].* (?:at|by|from|(?<!check )in|into|of|on|to|with)$/,
  /^[a-z].*[a-z][.!?]$/,
];

/** Errors whose message is a literal, created directly or by a helper function. */
const LITERAL_ERRORS: readonly RegExp[] = [
  /new (?:FleetError\(\s*(?:'\w+'|\w+),|QueryError\()\s*['"`]([^'"`]*)/g,
  /\b(?:throw|return) (?!new )\w*(?:[Ee]rror|invalid|fail\w*)\(\s*(?:'\w+',\s*)?['"`]([^'"`]* [^'"`]*)/g,
];

/** Messages that no view displays. */
const UNSEEN_ERRORS: ReadonlySet<string> = new Set(['Canceled.', 'Another filter is now in use.']);

describe('localization', () => {
  let sourceTexts: readonly string[] = [];

  before(() => {
    sourceTexts = localizedStrings();
  });

  it('has every text of the source in the bundle (npm run strings writes it)', () => {
    assert.deepEqual(Object.keys(read('l10n/bundle.l10n.json')), sourceTexts);
  });

  it('has every error message of the client in the bundle', () => {
    const files = globSync(['src/core/**/*.ts', 'src/host/**/*.ts'], {
      cwd: root,
      // Tools for agents address models, in English.
      exclude: ['src/core/agentTools/**'],
    });
    const bare = files.flatMap((file) =>
      LITERAL_ERRORS.flatMap((pattern) => [
        ...readFileSync(join(root, file), 'utf8').matchAll(pattern),
      ])
        .map(([, text = '']) => text)
        .filter((text) => /[a-z]{2}/i.test(text.replaceAll(/\$\{[^}]*\}/g, '')))
        .filter((text) => !UNSEEN_ERRORS.has(text))
        .map((text) => `${file}: ${text}`),
    );
    assert.deepEqual(bare, []);
  });

  it('has only one form for each message', () => {
    const groups = Object.groupBy(
      sourceTexts.filter((text) => /[a-z]/i.test(text.replaceAll(/\{\d+\}/g, ''))),
      normalized,
    );
    const duplicates = Object.values(groups).filter(
      (texts = []) => new Set(texts.map(asWithinLine)).size > 1,
    );
    assert.deepEqual(duplicates, []);
  });

  it('has no fragments of sentences', () => {
    assert.deepEqual(
      sourceTexts.filter((text) => FRAGMENT.some((pattern) => pattern.test(text))),
      [],
    );
  });

  for (const [advice, pattern] of Object.entries(UNIDIOMATIC)) {
    it(`writes ${advice}`, () => {
      const texts = [...sourceTexts, ...Object.values(read('package.nls.json'))];
      assert.deepEqual(
        texts.filter((text) => pattern.test(text)),
        [],
      );
    });
  }

  const translations = [
    ...globSync('l10n/bundle.l10n.*.json', { cwd: root }).map(
      (file) => [file, 'l10n/bundle.l10n.json'] as const,
    ),
    ...globSync('package.nls.*.json', { cwd: root }).map(
      (file) => [file, 'package.nls.json'] as const,
    ),
  ];
  for (const [file, original] of translations) {
    it(`translates every text in ${file}, with the same placeholders`, () => {
      const [texts, source] = [read(file), read(original)];
      assert.deepEqual(Object.keys(texts).toSorted(), Object.keys(source).toSorted());
      for (const [key, text] of Object.entries(texts)) {
        assert.deepEqual(marks(text), marks(source[key] ?? ''), key);
      }
    });
  }
});
