import * as vscode from 'vscode';
import { Disposable } from '../../../base/disposable';
import type { SaveProblem } from './saveMessages';

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
  /** Text of the failed save. */
  readonly text: string;
  readonly entries: readonly Entry[];
  visible: readonly Entry[];
}

/**
 * Shows in Problems why documents can't be saved. VS Code's own JSON support also marks some of
 * these errors, before or after a save. Each error is shown only once.
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
    this.register(
      vscode.workspace.onDidChangeTextDocument(({ document }) => {
        if (!document.isDirty) this.clear(document.uri);
      }),
    );
    this.register(
      vscode.languages.onDidChangeDiagnostics(({ uris }) => {
        for (const uri of uris) this.update(uri);
      }),
    );
  }

  /** Replaces the problems of a document. `text` is the text of the failed save. */
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
  { range: place, message, code }: SaveProblem,
): vscode.Diagnostic {
  const start = positionAt(text, place.offset);
  const range = new vscode.Range(start, positionAt(text, place.offset + place.length));
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

function positionAt(text: string, offset: number): vscode.Position {
  const before = text.slice(0, offset).split(/\r\n|\r|\n/);
  return new vscode.Position(before.length - 1, before.at(-1)?.length ?? 0);
}
