import * as vscode from 'vscode';
import { FleetError, toFleetError } from '../../../core/api/errors';
import type { JsonProblem } from '../../../core/documents/jsonProblems';
import { jsonSyntaxWords } from '../../../core/documents/jsonSyntaxWords';
import { findProblemPlace, type TextPlace } from '../../../core/documents/problemPlace';
import {
  InvalidDocumentError,
  NotKeptError,
  SaveConflictError,
} from '../../../core/documents/saveErrors';

/** Marks the problem that has quick fixes for a conflict. */
export const CONFLICT_PROBLEM = 'changedElsewhere';

/** Something that kept a document from being saved, at its place in the text. */
export interface SaveProblem {
  readonly place: TextPlace;
  readonly message: string;
  readonly code?: string;
}

const START: TextPlace = { offset: 0, length: 1 };

/** Says in a sentence or two why a save failed. */
export function saveFailureMessage(error: unknown, lastEdit: string | undefined): string {
  if (error instanceof SaveConflictError) {
    if (!error.base) {
      return vscode.l10n.t(
        'It is not known any more which version these edits started from. Compare before you overwrite.',
      );
    }
    return lastEdit === undefined
      ? vscode.l10n.t('It was changed elsewhere while you were editing.')
      : vscode.l10n.t('{0} while you were editing.', lastEdit);
  }
  if (error instanceof InvalidDocumentError) {
    const [first] = error.problems;
    const reason = first ? jsonProblemMessage(first) : '';
    return vscode.l10n.t('{0} See Problems.', reason);
  }
  if (error instanceof NotKeptError) {
    return vscode.l10n.t(
      'The service answered without an error and then kept another content. Compare to see what it keeps.',
    );
  }
  return fleetFailureMessage(toFleetError(error));
}

/** What to show in Problems for a failed save of `text`; nothing for failures of the connection. */
export function saveProblems(error: unknown, text: string, message: string): SaveProblem[] {
  if (error instanceof InvalidDocumentError) {
    return error.problems.map((problem) => ({
      place: problem,
      message: jsonProblemMessage(problem),
    }));
  }
  if (error instanceof SaveConflictError) {
    return [{ place: START, message, code: CONFLICT_PROBLEM }];
  }
  if (error instanceof NotKeptError) return [{ place: START, message }];
  if (!(error instanceof FleetError) || error.kind !== 'invalid') {
    const lasting = error instanceof FleetError && error.kind === 'permission';
    return lasting ? [{ place: START, message }] : [];
  }
  if (error.violations.length === 0) {
    return [{ place: findProblemPlace(text, fieldIn(error.message)), message: error.message }];
  }
  return error.violations.map((violation) => ({
    place: findProblemPlace(text, violation.field),
    message: violation.message,
  }));
}

function fleetFailureMessage(error: FleetError): string {
  switch (error.kind) {
    case 'notFound':
      return vscode.l10n.t(
        'It was deleted elsewhere. Close the editor, or keep its text in a file of yours.',
      );
    case 'permission':
      return vscode.l10n.t('You may read this but not change it. {0}', error.message);
    case 'unauthenticated':
      return vscode.l10n.t(
        '{0} Your edits stay here; save again once you are signed in.',
        error.message,
      );
    case 'unavailable':
      return vscode.l10n.t('{0} Your edits stay here; save again later.', error.message);
    case 'conflict':
      return vscode.l10n.t('It is being changed elsewhere right now. Save again.');
    case 'invalid':
      return vscode.l10n.t('The service refused it: {0}', error.message);
    default:
      return error.message;
  }
}

function jsonProblemMessage({ code, detail }: JsonProblem): string {
  switch (code) {
    case 'comment':
      return vscode.l10n.t('Documents of the fleet are strict JSON and cannot hold comments.');
    case 'trailingComma':
      return vscode.l10n.t(
        'Documents of the fleet are strict JSON: no comma after the last element.',
      );
    case 'notAnObject':
      return vscode.l10n.t('The document must be one JSON object, written in { and }.');
    case 'duplicateKey':
      return vscode.l10n.t('{0} is there twice; the service would keep only one.', detail);
    case 'numberNotKept':
      return vscode.l10n.t(
        'The service cannot keep the number {0} exactly. Write it in quotes.',
        detail,
      );
    case 'notJson':
      return jsonSyntaxWords(vscode.l10n, detail);
  }
}

/** A path such as `components[0].name` inside a message that names the field in words only. */
function fieldIn(message: string): string {
  return /[\w-]+(?:\[\d+\]|\.[\w-]+)+/.exec(message)?.[0] ?? '';
}
