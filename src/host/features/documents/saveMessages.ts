import * as vscode from 'vscode';
import { FleetError, toFleetError } from '../../../core/api/errors';
import { findProblemPlace, type TextPlace } from '../../../core/documents/problemPlace';
import {
  ContentMismatchError,
  InvalidDocumentError,
  SaveConflictError,
} from '../../../core/documents/saveErrors';
import { formatJsonProblem } from '../../platform/formatJsonProblem';

/** Marks the problem that has quick fixes for a conflict. */
export const CONFLICT_PROBLEM = 'changedElsewhere';

/** A reason why a document cannot be saved, and its position in the text. */
export interface SaveProblem {
  readonly place: TextPlace;
  readonly message: string;
  readonly code?: string;
}

const START: TextPlace = { offset: 0, length: 1 };

/** Formats why a save failed, in a sentence or two. */
export function saveFailureMessage(error: unknown, lastEdit: string | undefined): string {
  if (error instanceof SaveConflictError) {
    if (!error.base) {
      return vscode.l10n.t(
        'The base version of these edits is unknown. Compare before you overwrite.',
      );
    }
    return lastEdit === undefined
      ? vscode.l10n.t('It was changed elsewhere while you were editing.')
      : vscode.l10n.t('{0} while you were editing.', lastEdit);
  }
  if (error instanceof InvalidDocumentError) {
    const [first] = error.problems;
    const reason = first ? formatJsonProblem(first) : '';
    return vscode.l10n.t('{0} See Problems.', reason);
  }
  if (error instanceof ContentMismatchError) {
    return vscode.l10n.t(
      'The service accepted the save but stored different content. Compare to see what it stored.',
    );
  }
  return fleetFailureMessage(toFleetError(error));
}

/** What to show in Problems for a failed save of `text`; nothing for failures of the connection. */
export function saveProblems(error: unknown, text: string, message: string): SaveProblem[] {
  if (error instanceof InvalidDocumentError) {
    return error.problems.map((problem) => ({
      place: problem,
      message: formatJsonProblem(problem),
    }));
  }
  if (error instanceof SaveConflictError) {
    return [{ place: START, message, code: CONFLICT_PROBLEM }];
  }
  if (error instanceof ContentMismatchError) return [{ place: START, message }];
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
        'This document was deleted remotely. Close the editor, or save a copy to keep your edits.',
      );
    case 'permission':
      return vscode.l10n.t('You can read this document but not change it. {0}', error.message);
    case 'unauthenticated':
      return vscode.l10n.t(
        '{0} Your edits stay in the editor; sign in, then save again.',
        error.message,
      );
    case 'unavailable':
      return vscode.l10n.t('{0} Your edits stay in the editor; save again later.', error.message);
    case 'conflict':
      return vscode.l10n.t('Another user is changing this document right now. Save again.');
    case 'invalid':
      return vscode.l10n.t('The service rejected the document: {0}', withoutField(error.message));
    default:
      return error.message;
  }
}

/** A path such as `components[0].name` inside a message without field violations. */
function fieldIn(message: string): string {
  return /[\w-]+(?:\[(?:\d+|"(?:[^"\\]|\\.)*")\]|\.[\w-]+)+/.exec(message)?.[0] ?? '';
}

/** The position stands in the Problems view; its path would only be long here. */
function withoutField(message: string): string {
  const field = fieldIn(message);
  return field === '' ? message : message.replace(`${field}: `, '');
}
