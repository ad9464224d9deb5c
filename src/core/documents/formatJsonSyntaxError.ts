import type { Localizer } from '../../base/localizer';

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
