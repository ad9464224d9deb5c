import type { Localizer } from '../../base/localizer';
import type { JsonProblem } from './jsonProblems';

const MAX_DETAIL_LENGTH = 60;

/**
 * Describes the problem that prevents a JSON document from being saved, and the recommended action.
 */
export function formatJsonProblem({ code, detail }: JsonProblem, l10n: Localizer): string {
  switch (code) {
    case 'comment':
      return l10n.t(
        "Fleet documents are strict JSON and can't contain comments. Delete this comment.",
      );
    case 'trailingComma':
      return l10n.t(
        "Fleet documents are strict JSON and can't contain trailing commas. Delete this comma.",
      );
    case 'notAnObject':
      return l10n.t('The document must be a JSON object. Enclose it in { and }.');
    case 'duplicateKey':
      return l10n.t(
        'The key "{0}" occurs more than once in this object, and different programs might read different values. Rename or delete one of them.',
        shorten(detail),
      );
    case 'numberNotKept':
      return l10n.t(
        "The service can't store the number {0} exactly. Use fewer digits, or put it in quotes.",
        shorten(detail),
      );
    case 'numberOutOfRange':
      return l10n.t(
        "The service can't store the number {0} because it is too large. Put it in quotes.",
        shorten(detail),
      );
    case 'unpairedSurrogate':
      return l10n.t(
        "The service can't store {0} because it is only half of a surrogate pair. Delete it, or add the other half.",
        detail,
      );
    case 'byteOrderMark':
      return l10n.t('An invisible byte order mark (U+FEFF) is not valid JSON. Delete it.');
    case 'notJson':
      return formatJsonSyntaxError(l10n, detail);
  }
}

function shorten(detail: string): string {
  return detail.length <= MAX_DETAIL_LENGTH ? detail : `${detail.slice(0, MAX_DETAIL_LENGTH - 1)}…`;
}

/** Formats a message for a JSON syntax error, given its name in the parser (`jsonc-parser`). */
export function formatJsonSyntaxError(l10n: Localizer, error: string): string {
  switch (error) {
    case 'InvalidSymbol':
      return l10n.t('This is not valid JSON. Enclose text in double quotes.');
    case 'InvalidNumberFormat':
    case 'UnexpectedEndOfNumber':
      return l10n.t('This is not a valid number in JSON. Use digits, for example 0.5 or -2e3.');
    case 'ColonExpected':
      return l10n.t('This is not valid JSON: a colon is missing.');
    case 'CommaExpected':
      return l10n.t('This is not valid JSON: a comma is missing.');
    case 'CloseBraceExpected':
      return l10n.t('This is not valid JSON: a } is missing.');
    case 'CloseBracketExpected':
      return l10n.t('This is not valid JSON: a ] is missing.');
    case 'PropertyNameExpected':
      return l10n.t('This is not valid JSON: a key in double quotes is missing.');
    case 'ValueExpected':
      return l10n.t('This is not valid JSON: a value is expected here.');
    case 'EndOfFileExpected':
      return l10n.t('This is not valid JSON: there is text after the end of the value.');
    case 'UnexpectedEndOfString':
      return l10n.t('This is not valid JSON: a closing double quote is missing.');
    case 'UnexpectedEndOfComment':
      return l10n.t('This is not valid JSON: a comment is not closed.');
    case 'InvalidUnicode':
    case 'InvalidEscapeCharacter':
      return l10n.t(
        'This is not a valid escape sequence in JSON. Use a double backslash for a backslash in text.',
      );
    case 'InvalidCharacter':
      return l10n.t(
        "JSON strings can't contain line breaks or other control characters. Use an escape sequence, for example \\n.",
      );
    default:
      return l10n.t('This is not valid JSON.');
  }
}
