import * as vscode from 'vscode';
import { Disposable } from '../../../base/disposable';
import { findPathRange } from '../../../core/documents/resolvedText';
import { parseResolvedAddress } from '../../platform/documentUris';
import type { FleetTools } from '../../platform/fleetTools';
import { resolveDocumentUri } from '../../platform/openDocuments';
import { formatResolveProblem } from './formatResolveProblem';
import type { ResolvedFileSystem } from './resolvedFileSystem';

const SOURCE = 'Fleetwright';

/**
 * Reports problems with a config's fragments at the positions in the config where the user can fix
 * them.
 */
export class ResolvedProblems extends Disposable {
  private readonly collection = this.register(
    vscode.languages.createDiagnosticCollection('fleetwright-fragments'),
  );
  private readonly configs = new Map<string, vscode.Uri>();

  constructor(
    private readonly files: ResolvedFileSystem,
    private readonly tools: Pick<FleetTools, 'sessions'>,
  ) {
    super();
    this.register(
      files.onDidResolve((uri) => {
        // Only reading the resource names can fail. In that case, the next change shows the
        // problems.
        this.show(uri).catch(() => undefined);
      }),
    );
    this.register(
      files.onDidClose((uri) => {
        const config = this.configs.get(uri.toString());
        if (config) this.collection.delete(config);
        this.configs.delete(uri.toString());
      }),
    );
  }

  private async show(uri: vscode.Uri): Promise<void> {
    const address = parseResolvedAddress(uri);
    if (!address) return;
    const config = await resolveDocumentUri(this.tools.sessions, address);
    const resolved = this.files.peek(uri);
    if (!resolved || this.isDisposed) return;
    this.configs.set(uri.toString(), config);
    const { source, problems, getName: nameOf } = resolved;
    this.collection.set(
      config,
      problems.map((problem) => {
        const { offset, length } = findPathRange(source, problem.path);
        const range = new vscode.Range(
          positionAt(source, offset),
          positionAt(source, offset + length),
        );
        const message = formatResolveProblem(problem, nameOf);
        const diagnostic = new vscode.Diagnostic(range, message, vscode.DiagnosticSeverity.Warning);
        diagnostic.source = SOURCE;
        return diagnostic;
      }),
    );
  }
}

function positionAt(text: string, offset: number): vscode.Position {
  const before = text.slice(0, offset).split(/\r\n|\r|\n/);
  return new vscode.Position(before.length - 1, before.at(-1)?.length ?? 0);
}
