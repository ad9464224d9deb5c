import * as vscode from 'vscode';
import { FleetError } from '../../../core/api/errors';
import { ReadOnlyConnectionError } from '../../../core/api/readOnly';
import {
  ContentMismatchError,
  ReviewRequiredError,
  SaveConflictError,
} from '../../../core/documents/configSource';
import type { CommandId } from '../../../manifest/commands';
import { createRangeFinder } from '../../platform/documents/toRange';
import type { SessionProvider } from '../../platform/sessionProvider';
import type { ConflictNumbers } from './conflictCommands';
import { getFileName, parseDocumentAddress } from '../../platform/documents/documentUris';
import { commandLink, escapeLinks, type SaveFailureReporter } from './fleetFileSystem';
import type { LastEdit, SaveProblem } from './saveMessages';
import { Disposable } from '../../../base/disposable';

// Loaded with the first save that fails.
const loadMessages = () => import('./saveMessages');

const SOURCE = 'Fleetwright';
/** VS Code's JSON support omits the source name from its diagnostics about comments. */
const JSON_SOURCES: readonly (string | undefined)[] = ['json', undefined];

interface Entry {
  readonly diagnostic: vscode.Diagnostic;
  readonly jsonMarker: SaveProblem['jsonMarker'];
}

/** Problems of one document. */
interface Failure {
  readonly uri: vscode.Uri;
  /** Text that couldn't be saved. */
  readonly text: string;
  readonly entries: readonly Entry[];
  visible: readonly Entry[];
}

/**
 * Returns true if a tab shows that a document has unsaved edits. While a document is saved, its own
 * `isDirty` doesn't count new edits, but the tab does.
 */
function hasDirtyTab(uri: vscode.Uri): boolean {
  return vscode.window.tabGroups.all.some(({ tabs }) =>
    tabs.some(
      ({ input, isDirty }) =>
        isDirty && input instanceof vscode.TabInputText && input.uri.toString() === uri.toString(),
    ),
  );
}

/**
 * Shows in the Problems view why documents can't be saved. VS Code's own JSON support also marks
 * some of these errors, before or after a save. Each error is shown only once.
 */
export class DocumentProblems extends Disposable {
  private readonly collection = this.register(
    vscode.languages.createDiagnosticCollection('fleetwright'),
  );
  private readonly failures = new Map<string, Failure>();

  constructor() {
    super();
    this.register(vscode.workspace.onDidCloseTextDocument(({ uri }) => this.clear(uri)));
    // After Undo or Revert, there are no edits to save, so the problems are obsolete.
    const { window, workspace } = vscode;
    this.register(
      workspace.onDidChangeTextDocument(({ document }) => {
        if (!document.isDirty && !hasDirtyTab(document.uri)) this.clear(document.uri);
      }),
    );
    this.register(
      window.tabGroups.onDidChangeTabs(() => {
        for (const { uri } of this.failures.values()) {
          const document = workspace.textDocuments.find(
            (one) => one.uri.toString() === uri.toString(),
          );
          if (document?.isDirty === false && !hasDirtyTab(uri)) this.clear(uri);
        }
      }),
    );
    this.register(
      vscode.languages.onDidChangeDiagnostics(({ uris }) => {
        for (const uri of uris) this.update(uri);
      }),
    );
  }

  /** Replaces the problems for a document. `text` is the text that couldn't be saved. */
  show(uri: vscode.Uri, text: string, problems: readonly SaveProblem[]): void {
    const entries = problems.map((problem) => ({
      diagnostic: toDiagnostic(text, problem),
      jsonMarker: problem.jsonMarker,
    }));
    const visible = entries.filter((entry) => !isMarkedByJson(uri, entry));
    this.failures.set(uri.toString(), { uri, text, entries, visible });
    this.collection.set(uri, toDiagnostics(visible));
  }

  clear(uri: vscode.Uri): void {
    this.failures.delete(uri.toString());
    this.collection.delete(uri);
  }

  private update(uri: vscode.Uri): void {
    const failure = this.failures.get(uri.toString());
    if (!failure) return;
    // After an edit, an error that the JSON support no longer marks might already be fixed, so it
    // isn't shown again.
    const candidates = isUnchanged(failure) ? failure.entries : failure.visible;
    const visible = candidates.filter((entry) => !isMarkedByJson(uri, entry));
    // Setting the diagnostics fires this event again.
    if (isSameList(visible, failure.visible)) return;
    failure.visible = visible;
    this.collection.set(uri, toDiagnostics(visible));
  }
}

function toDiagnostic(
  text: string,
  { range: problemRange, message, code }: SaveProblem,
): vscode.Diagnostic {
  const range = createRangeFinder(text)(problemRange);
  const diagnostic = new vscode.Diagnostic(range, message, vscode.DiagnosticSeverity.Error);
  diagnostic.source = SOURCE;
  if (code !== undefined) diagnostic.code = code;
  return diagnostic;
}

function toDiagnostics(entries: readonly Entry[]): vscode.Diagnostic[] {
  return entries.map(({ diagnostic }) => diagnostic);
}

function isSameList<T>(left: readonly T[], right: readonly T[]): boolean {
  return left.length === right.length && left.every((item, index) => item === right[index]);
}

function isUnchanged({ uri, text }: Failure): boolean {
  const document = vscode.workspace.textDocuments.find(
    (candidate) => candidate.uri.toString() === uri.toString(),
  );
  return document?.getText() === text;
}

function isMarkedByJson(uri: vscode.Uri, { diagnostic, jsonMarker }: Entry): boolean {
  if (!jsonMarker) return false;
  const { range } = diagnostic;
  return vscode.languages
    .getDiagnostics(uri)
    .some(
      (marker) =>
        JSON_SOURCES.includes(marker.source) &&
        marker.severity <= vscode.DiagnosticSeverity.Warning &&
        (jsonMarker === 'sameStart'
          ? marker.range.start.isEqual(range.start)
          : marker.severity === vscode.DiagnosticSeverity.Error &&
            marker.range.intersection(range) !== undefined),
    );
}

/**
 * Kinds of errors after which another save might never succeed, so that only a copy preserves the
 * edits.
 */
const STUCK_KINDS: ReadonlySet<FleetError['kind']> = new Set(['notFound', 'unauthenticated']);

/**
 * Reports once why a save failed. VS Code shows a message for every failed save. To avoid a second
 * dialog, our text, with links for a conflict, is displayed in that message.
 */
export class SaveFailures implements SaveFailureReporter {
  constructor(
    private readonly sessions: SessionProvider,
    private readonly problems: DocumentProblems,
    private readonly numbers: ConflictNumbers,
  ) {}

  async report(uri: vscode.Uri, text: string, error: unknown): Promise<string> {
    const isConflict = error instanceof SaveConflictError;
    const { formatSaveFailure, toSaveProblems } = await loadMessages();
    const lastEdit = isConflict ? await this.findLastEdit(uri, error) : undefined;
    const message = escapeLinks(formatSaveFailure(error, text, lastEdit));
    this.problems.show(uri, text, toSaveProblems(error, text, message));
    if (isConflict) return `${message} ${this.conflictLinks(uri, error)}`;
    if (error instanceof ContentMismatchError) {
      const compare = vscode.l10n.t('Compare');
      return `${message} ${this.link(uri, compare, 'fleetwright.document.compare')}`;
    }
    if (error instanceof ReviewRequiredError) {
      const review = vscode.l10n.t('Review and Save');
      return `${message} ${this.link(uri, review, 'fleetwright.document.reviewSave')}`;
    }
    const saveCopy = this.link(uri, vscode.l10n.t('Save a Copy'), 'fleetwright.document.saveCopy');
    if (error instanceof ReadOnlyConnectionError) {
      const command = 'fleetwright.connection.allowChanges' satisfies CommandId;
      const allow = commandLink(vscode.l10n.t('Allow Changes'), command, error.connectionId);
      return error.action ? `${message} ${allow} | ${saveCopy}` : `${message} ${saveCopy}`;
    }
    // In these cases, signing in with another API key wouldn't make the document available, so only
    // a copy preserves the edits.
    const isStuck = error instanceof FleetError && STUCK_KINDS.has(error.kind);
    return isStuck ? `${message} ${saveCopy}` : message;
  }

  /** Warns that the service normalized the values, so the editor will show different text. */
  warnAboutNormalizedSave(uri: vscode.Uri): void {
    const message = vscode.l10n.t(
      'Saved "{0}", but the service changed the order of keys or the digits of numbers. The editor now shows the stored version.',
      getFileName(uri),
    );
    void vscode.window.showWarningMessage(message);
  }

  clear(uri: vscode.Uri): void {
    this.problems.clear(uri);
  }

  private async findLastEdit(
    uri: vscode.Uri,
    { remote }: SaveConflictError,
  ): Promise<LastEdit | undefined> {
    const address = parseDocumentAddress(uri);
    return address && (await loadMessages()).findLastEdit(this.sessions, address, remote.text);
  }

  private conflictLinks(uri: vscode.Uri, { base }: SaveConflictError): string {
    const links = [
      this.link(uri, vscode.l10n.t('Compare'), 'fleetwright.document.compare'),
      ...(base ? [this.link(uri, vscode.l10n.t('Merge'), 'fleetwright.document.merge')] : []),
      this.link(uri, vscode.l10n.t('Overwrite'), 'fleetwright.document.overwrite'),
      this.link(uri, vscode.l10n.t('Reload'), 'fleetwright.document.reload'),
    ];
    return links.join(' | ');
  }

  private link(uri: vscode.Uri, label: string, command: CommandId): string {
    return commandLink(label, command, this.numbers.getNumber(uri));
  }
}
