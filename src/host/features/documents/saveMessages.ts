import * as vscode from 'vscode';
import { endSentence, FleetError, toFleetError } from '../../../core/api/errors';
import { ReadOnlyConnectionError } from '../../../core/api/readOnly';
import type { JsonProblemCode } from '../../../core/documents/jsonProblems';
import {
  describeField,
  findProblemRange,
  parseRejection,
  type Rejection,
  type TextRange,
} from '../../../core/documents/rejection';
import {
  ContentMismatchError,
  InvalidDocumentError,
  ReviewRequiredError,
  SaveConflictError,
} from '../../../core/documents/configSource';
import { formatJsonProblem } from '../../../core/documents/formatJsonProblem';
import type { DocumentAddress } from '../../../core/documents/documentAddress';
import { createHistorySource, getWireFormat } from '../../../core/documents/documentSources';
import { findKeyNames, type KeyNames } from '../../../core/documents/documentResource';
import { sameJsonText, sameJsonValue } from '../../../core/documents/jsonText';
import { findContentEdit } from '../../../core/documents/revisionList';
import type { Editor } from '../../../core/model/entities';
import { formatEditor, formatVersionTime } from '../../platform/documents/describeDocument';
import { CONFLICT_PROBLEM } from './fleetFileSystem';
import type { SessionProvider } from '../../platform/sessionProvider';

/** Reason that a document can't be saved, and the problem's position in the text. */
export interface SaveProblem {
  readonly range: TextRange;
  readonly message: string;
  readonly code?: string;
  /**
   * Type of marker with which VS Code's own JSON support reports the same error, if any: an error
   * that overlaps the position, or an error or warning with the same start. If VS Code has set that
   * marker, ours is not shown.
   */
  readonly jsonMarker?: 'overlapping' | 'sameStart' | undefined;
}

const START: TextRange = { offset: 0, length: 1 };

/** Formats why saving `text` failed and the recommended action, in one or two sentences. */
export function formatSaveFailure(
  error: unknown,
  text: string,
  lastEdit: LastEdit | undefined,
): string {
  if (error instanceof SaveConflictError) return formatConflict(error, lastEdit);
  if (error instanceof InvalidDocumentError) {
    const [first] = error.problems;
    const seeProblems = vscode.l10n.t('See the Problems view.');
    return first ? `${formatJsonProblem(first, vscode.l10n)} ${seeProblems}` : seeProblems;
  }
  if (error instanceof ContentMismatchError) {
    return vscode.l10n.t(
      'The service accepted the save but stored different content. Compare to see what it stored.',
    );
  }
  if (error instanceof ReviewRequiredError) {
    return vscode.l10n.t(
      "Auto Save didn't save this config, because you must confirm the changes. {0} Auto Save resumes after you save the config.",
      error.summary,
    );
  }
  return formatFleetError(toFleetError(error), text);
}

/** Returns the Problems entries for a failed save of `text`; none for connection errors. */
export function toSaveProblems(error: unknown, text: string, message: string): SaveProblem[] {
  if (error instanceof InvalidDocumentError) {
    return error.problems.map((problem) => ({
      range: problem,
      message: formatJsonProblem(problem, vscode.l10n),
      jsonMarker: JSON_MARKERS[problem.code],
    }));
  }
  if (error instanceof SaveConflictError) {
    return [{ range: START, message, code: CONFLICT_PROBLEM }];
  }
  if (error instanceof ContentMismatchError || error instanceof ReviewRequiredError) {
    return [{ range: START, message }];
  }
  if (!(error instanceof FleetError) || error.kind !== 'invalid') {
    const isLasting = error instanceof FleetError && error.kind === 'permission';
    return isLasting ? [{ range: START, message }] : [];
  }
  return getRejections(error).map((rejection) => ({
    range: findProblemRange(text, rejection.field),
    message: formatRejection(rejection, text),
    // The config schemas also report values of the wrong type.
    jsonMarker: rejection.field === '' ? undefined : 'sameStart',
  }));
}

/**
 * Markers for the problems that VS Code's JSON support also reports. It reports none of the other
 * problems except a byte order mark, and its message for that problem doesn't name the invisible
 * character.
 */
const JSON_MARKERS: Readonly<Partial<Record<JsonProblemCode, SaveProblem['jsonMarker']>>> = {
  notJson: 'overlapping',
  comment: 'overlapping',
  trailingComma: 'overlapping',
  duplicateKey: 'sameStart',
  notAnObject: 'sameStart',
};

function getRejections({ message, serviceMessage, violations }: FleetError): readonly Rejection[] {
  return violations.length === 0
    ? [parseRejection(endSentence(serviceMessage ?? message))]
    : violations.map(({ field, message: reason }) => ({ field, reason }));
}

function formatConflict({ base }: SaveConflictError, lastEdit: LastEdit | undefined): string {
  if (!base) {
    return vscode.l10n.t(
      'The base version of your edits is unknown. Compare them with the remote version before you overwrite it.',
    );
  }
  switch (lastEdit?.editor.kind) {
    case undefined:
      return vscode.l10n.t('This document was changed remotely while you were editing.');
    case 'ownKey':
      return vscode.l10n.t(
        'Another window or program that uses your API key changed this document on {0} while you were editing.',
        lastEdit.time,
      );
    case 'machine':
      return vscode.l10n.t(
        'The machine changed this document on {0} while you were editing.',
        lastEdit.time,
      );
    case 'named':
      return vscode.l10n.t(
        '{0} changed this document on {1} while you were editing.',
        lastEdit.editor.name,
        lastEdit.time,
      );
    case 'unknown':
      return vscode.l10n.t(
        'Another user changed this document on {0} while you were editing.',
        lastEdit.time,
      );
  }
}

function formatFleetError(error: FleetError, text: string): string {
  const { message } = error;
  if (error instanceof ReadOnlyConnectionError) return message;
  switch (error.kind) {
    case 'notFound':
      return vscode.l10n.t(
        'This document was deleted remotely. Close the editor, or save a copy to keep your edits.',
      );
    case 'permission':
      return `${vscode.l10n.t('You can read this document but not change it.')} ${message}`;
    case 'unauthenticated':
      return `${message} ${vscode.l10n.t('Your edits stay in the editor. To save them, sign in with the same API key again. If that key was deleted, save a copy.')}`;
    case 'unavailable':
      return `${message} ${vscode.l10n.t('Your edits stay in the editor. Save again later.')}`;
    case 'conflict':
      return vscode.l10n.t('Another user is saving changes to this document. Save again.');
    case 'invalid': {
      const [first] = getRejections(error);
      return first ? formatRejection(first, text) : message;
    }
    default:
      return message;
  }
}

/**
 * Formats a rejection with the path of the value in the document instead of the path in the
 * request.
 */
function formatRejection({ field, reason }: Rejection, text: string): string {
  const path = formatPath(describeField(text, field));
  return path === ''
    ? vscode.l10n.t('The service rejected the document: {0}', reason)
    : vscode.l10n.t('The service rejected {0}: {1}', path, reason);
}

/**
 * Maximum time in milliseconds that a failed save waits for the name of the user who made the
 * remote change.
 */
const LOOK_UP_TIMEOUT_MS = 3_000;

/** An edit's author. `ownKey` means that another window or program used the user's own key. */
export type LastEditor =
  | { readonly kind: 'ownKey' | 'machine' | 'unknown' }
  | { readonly kind: 'named'; readonly name: string };

/** Edit that created the remote version of a document. */
export interface LastEdit {
  readonly editor: LastEditor;
  /** Time, formatted in the user's time zone. */
  readonly time: string;
}

/**
 * Finds the edit that made `text` a document's content; undefined if unknown. Skips renames, which
 * have their own history entries.
 */
export async function findLastEdit(
  sessions: SessionProvider,
  { connectionId, subject }: DocumentAddress,
  text: string,
): Promise<LastEdit | undefined> {
  try {
    const stores = sessions.stores(connectionId);
    const history = createHistorySource(stores, subject);
    const isSameContent = getWireFormat(subject) === 'text' ? sameJsonText : sameJsonValue;
    const signal = AbortSignal.timeout(LOOK_UP_TIMEOUT_MS);
    const entry = history && (await findContentEdit(history, text, isSameContent, signal));
    if (!entry?.editedOn) return undefined;
    const keyId = sessions.connection(connectionId)?.keyId;
    const isOtherKey = entry.editor?.kind === 'apiKey' && entry.editor.name !== keyId;
    const keyNames = isOtherKey ? await findKeyNames(stores, subject, signal) : new Map();
    const editor = toLastEditor(entry.editor, keyId, keyNames);
    return { editor, time: formatVersionTime(entry.editedOn) };
  } catch {
    // The conflict message doesn't require the name.
    return undefined;
  }
}

/** Formats an edit for a confirmation prompt. */
export function formatLastEdit({ editor, time }: LastEdit): string {
  switch (editor.kind) {
    case 'ownKey':
      return vscode.l10n.t(
        'Another window or program that uses your API key changed it on {0}.',
        time,
      );
    case 'machine':
      return vscode.l10n.t('The machine changed the document on {0}.', time);
    case 'unknown':
      return vscode.l10n.t('Another user changed it on {0}.', time);
    case 'named':
      return vscode.l10n.t('{0} changed the document on {1}.', editor.name, time);
  }
}

function toLastEditor(
  editor: Editor | undefined,
  ownKeyId: string | undefined,
  keyNames: KeyNames,
): LastEditor {
  if (!editor?.name) return { kind: 'unknown' };
  switch (editor.kind) {
    case 'partSecret':
    case 'locationSecret':
      return { kind: 'machine' };
    case 'apiKey':
      if (editor.name === ownKeyId) return { kind: 'ownKey' };
      return { kind: 'named', name: formatEditor(editor, keyNames) };
    default:
      return { kind: 'named', name: formatEditor(editor, keyNames) };
  }
}

/** Formats a value's path in a config, such as `components › left-motor › rpm`. */
export function formatPath(path: readonly string[]): string {
  return path.join(' › ');
}
