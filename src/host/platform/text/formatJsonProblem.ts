import * as vscode from 'vscode';
import type { JsonProblem } from '../../../core/documents/jsonProblems';
import { formatJsonSyntaxError } from '../../../core/documents/formatJsonSyntaxError';

const MAX_DETAIL_LENGTH = 60;

/** Returns the reason why a JSON document can't be saved, and the recommended action. */
export function formatJsonProblem({ code, detail }: JsonProblem): string {
  switch (code) {
    case 'comment':
      return vscode.l10n.t(
        "Fleet documents are strict JSON and can't contain comments. Delete this comment.",
      );
    case 'trailingComma':
      return vscode.l10n.t(
        "Fleet documents are strict JSON and can't contain trailing commas. Delete this comma.",
      );
    case 'notAnObject':
      return vscode.l10n.t('The document must be a JSON object. Enclose it in { and }.');
    case 'duplicateKey':
      return vscode.l10n.t(
        'The key "{0}" occurs more than once in this object, and different programs might read different values. Rename or delete one of them.',
        shorten(detail),
      );
    case 'numberNotKept':
      return vscode.l10n.t(
        "The service can't store the number {0} exactly. Use fewer digits, or put it in quotes.",
        shorten(detail),
      );
    case 'numberOutOfRange':
      return vscode.l10n.t(
        "The service can't store the number {0} because it is too large. Put it in quotes.",
        shorten(detail),
      );
    case 'unpairedSurrogate':
      return vscode.l10n.t(
        "The service can't store {0} because it is only half of a surrogate pair. Delete it, or add the other half.",
        detail,
      );
    case 'byteOrderMark':
      return vscode.l10n.t('An invisible byte order mark (U+FEFF) is not valid JSON. Delete it.');
    case 'notJson':
      return formatJsonSyntaxError(vscode.l10n, detail);
  }
}

function shorten(detail: string): string {
  return detail.length <= MAX_DETAIL_LENGTH ? detail : `${detail.slice(0, MAX_DETAIL_LENGTH - 1)}…`;
}
