import type { Words } from '../modules/words';

/** What keeps a text from being JSON, by the name that the parser (`jsonc-parser`) has for the mistake. */
export function jsonSyntaxWords(l10n: Words, mistake: string): string {
  switch (mistake) {
    case 'InvalidSymbol':
      return l10n.t('This is not valid JSON: texts stand in double quotes.');
    case 'InvalidNumberFormat':
    case 'UnexpectedEndOfNumber':
      return l10n.t('This is not valid JSON: a number is not written as JSON writes numbers.');
    case 'ColonExpected':
      return l10n.t('This is not valid JSON: a colon is missing.');
    case 'CommaExpected':
      return l10n.t('This is not valid JSON: a comma is missing.');
    case 'CloseBraceExpected':
      return l10n.t('This is not valid JSON: a } is missing.');
    case 'CloseBracketExpected':
      return l10n.t('This is not valid JSON: a ] is missing.');
    case 'PropertyNameExpected':
      return l10n.t('This is not valid JSON: a name in double quotes is missing.');
    case 'ValueExpected':
      return l10n.t('This is not valid JSON: a value is missing.');
    case 'EndOfFileExpected':
      return l10n.t('This is not valid JSON: nothing may follow what has ended before this.');
    case 'UnexpectedEndOfString':
      return l10n.t('This is not valid JSON: a text in double quotes does not end.');
    case 'UnexpectedEndOfComment':
      return l10n.t('This is not valid JSON: a comment does not end.');
    case 'InvalidUnicode':
    case 'InvalidEscapeCharacter':
      return l10n.t('This is not valid JSON: what follows the \\ is none of its escapes.');
    case 'InvalidCharacter':
      return l10n.t(
        'This is not valid JSON: a text holds a line break or another control character.',
      );
    default:
      return l10n.t('This is not valid JSON.');
  }
}
