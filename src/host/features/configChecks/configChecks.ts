import * as vscode from 'vscode';
import { Disposable } from '../../../base/disposable';
import { toFleetError } from '../../../core/api/errors';
import { checkConfig } from '../../../core/configChecks/checkConfig';
import {
  checkModules,
  type KnownModules,
  moduleIdsIn,
} from '../../../core/configChecks/checkModules';
import type { ConfigDiagnostic, ConfigSeverity } from '../../../core/configChecks/configDiagnostic';
import type { DocumentAddress } from '../../../core/documents/documentAddress';
import { parseStrictTree } from '../../../core/documents/jsonText';
import { findPathRange } from '../../../core/documents/resolvedText';
import type { TextRange } from '../../../core/documents/rejection';
import { registryItemId } from '../../../core/model/ids';
import { schemes } from '../../../manifest/contributions';
import { isPartAddress, parseDocumentAddress } from '../../platform/documents/documentUris';
import { type ResolvedPart, resolvePart } from '../../platform/documents/resolvePart';
import type { SessionProvider } from '../../platform/sessionProvider';
import { formatResolveProblem } from '../../platform/documents/formatResolveProblem';
import { type CheckedConfig, ConfigFixes, ConfigNames, ScheduleHover } from './configLanguage';

/** Debounce delay in milliseconds before an edit is checked. */
const PAUSE_MS = 300;

/** Maximum number of modules to read from the registry for one config. */
const MAX_MODULES = 100;

const SOURCE = 'Fleetwright';

const SEVERITIES: Readonly<Record<ConfigSeverity, vscode.DiagnosticSeverity>> = {
  error: vscode.DiagnosticSeverity.Error,
  warning: vscode.DiagnosticSeverity.Warning,
  // VS Code doesn't list its own hints in Problems.
  hint: vscode.DiagnosticSeverity.Information,
  suggestion: vscode.DiagnosticSeverity.Hint,
};

/**
 * Marks mistakes in the configs of parts and fragments while they are edited: in the text itself,
 * in references to other entries, and in the use of fragments. Reads fragments only if the config
 * uses other ones than before. Never prevents a save.
 */
export class ConfigChecks extends Disposable {
  private readonly collection = this.register(
    vscode.languages.createDiagnosticCollection('fleetwright-config'),
  );
  private readonly checked = new Map<string, CheckedConfig>();
  private readonly waiting = new Map<string, NodeJS.Timeout>();

  constructor(private readonly sessions: SessionProvider) {
    super();
    const { workspace, window, languages } = vscode;
    this.register(workspace.onDidOpenTextDocument((document) => void this.check(document)));
    this.register(workspace.onDidChangeTextDocument(({ document }) => this.checkSoon(document)));
    this.register(workspace.onDidCloseTextDocument(({ uri }) => this.forget(uri)));
    // Other people change fragments too. Reading them again is cheap, because stores cache them.
    this.register(
      workspace.onDidSaveTextDocument((document) => void this.check(document, { fresh: true })),
    );
    this.register(
      window.onDidChangeActiveTextEditor((editor) => {
        if (editor) void this.check(editor.document, { fresh: true });
      }),
    );
    this.register({ dispose: () => this.waiting.forEach((timer) => clearTimeout(timer)) });
    const selector = { scheme: schemes.document };
    const find = (document: vscode.TextDocument): CheckedConfig | undefined =>
      this.checked.get(document.uri.toString());
    const names = new ConfigNames(find);
    this.register(languages.registerCodeActionsProvider(selector, new ConfigFixes(find)));
    this.register(languages.registerHoverProvider(selector, new ScheduleHover()));
    this.register(languages.registerDefinitionProvider(selector, names));
    this.register(languages.registerReferenceProvider(selector, names));
    this.register(languages.registerRenameProvider(selector, names));
    this.register(languages.registerCompletionItemProvider(selector, names, '"'));
    for (const document of workspace.textDocuments) void this.check(document);
  }

  private checkSoon(document: vscode.TextDocument): void {
    const key = document.uri.toString();
    clearTimeout(this.waiting.get(key));
    this.waiting.delete(key);
    if (!parseDocumentAddress(document.uri)) return;
    const timer = setTimeout(() => void this.check(document), PAUSE_MS);
    this.waiting.set(key, timer);
  }

  /**
   * Checks a document, if it is a config, and marks its mistakes.
   *
   * @param fresh true to read the fragments again even if the config uses the same ones.
   */
  async check(document: vscode.TextDocument, { fresh = false } = {}): Promise<void> {
    const { uri, version } = document;
    const address = parseDocumentAddress(uri);
    const isFragment = address?.subject.type === 'fragmentConfig';
    const isPart = address !== undefined && isPartAddress(address);
    if (!isFragment && !isPart) return;
    const key = uri.toString();
    const text = document.getText();
    const before = this.checked.get(key);
    const known = fresh ? undefined : before?.resolved?.known;
    // Mistakes in the text are shown without waiting for the service.
    if (isPart && !before?.resolved) this.show(document, checkText(text));
    const resolved = isPart
      ? // Without a connection, only the text itself is checked. The document reports the problem.
        await resolvePart(this.sessions, address, known, text).catch(() => undefined)
      : undefined;
    const modules = resolved
      ? await this.readModules(
          address,
          resolved,
          fresh ? new Map() : (before?.modules ?? new Map()),
        )
      : new Map();
    if (document.isClosed || document.version !== version || this.isDisposed) return;
    const diagnostics = [
      ...checkText(text, { resolved, isFragment }),
      ...(resolved
        ? checkModules(text, { resolved: resolved.config, modules, l10n: vscode.l10n })
        : []),
    ];
    this.checked.set(key, { version, diagnostics, resolved, modules });
    this.show(document, diagnostics, resolved);
  }

  private show(
    document: vscode.TextDocument,
    diagnostics: readonly ConfigDiagnostic[],
    resolved?: ResolvedPart,
  ): void {
    this.collection.set(document.uri, [
      ...diagnostics.map((diagnostic) => toDiagnostic(document, diagnostic)),
      ...resolveProblems(document, resolved),
    ]);
  }

  /** Reads the modules of a config, except for those that a previous check has read. */
  private async readModules(
    { connectionId }: DocumentAddress,
    { config }: ResolvedPart,
    known: KnownModules,
  ): Promise<KnownModules> {
    const ids = moduleIdsIn(config).slice(0, MAX_MODULES);
    const missing = ids.filter((id) => !known.has(id));
    const { registry } = this.sessions.lastingStores(connectionId);
    const read = await Promise.allSettled(missing.map((id) => registry.get(registryItemId(id))));
    const modules = new Map(ids.flatMap((id) => (known.has(id) ? [[id, known.get(id)]] : [])));
    read.forEach((result, index) => {
      const id = missing[index] ?? '';
      if (result.status === 'fulfilled') modules.set(id, result.value);
      // Without a connection, modules aren't checked.
      else if (toFleetError(result.reason).kind === 'notFound') modules.set(id, undefined);
    });
    return modules;
  }

  private forget(uri: vscode.Uri): void {
    const key = uri.toString();
    clearTimeout(this.waiting.get(key));
    this.waiting.delete(key);
    this.checked.delete(key);
    this.collection.delete(uri);
  }
}

function checkText(
  text: string,
  {
    resolved,
    isFragment = false,
  }: { resolved?: ResolvedPart | undefined; isFragment?: boolean } = {},
): ConfigDiagnostic[] {
  return checkConfig(text, { resolved, isFragment, l10n: vscode.l10n });
}

/** Returns the problems with the fragments of a config, at the ranges where they can be fixed. */
function resolveProblems(
  document: vscode.TextDocument,
  resolved: ResolvedPart | undefined,
): vscode.Diagnostic[] {
  const text = document.getText();
  const tree = resolved && resolved.problems.length > 0 ? parseStrictTree(text) : undefined;
  return (resolved?.problems ?? []).map((problem) => {
    const range = toRange(document, findPathRange(text, problem.path, tree));
    const message = formatResolveProblem(problem, resolved?.getName ?? (() => undefined));
    const diagnostic = new vscode.Diagnostic(range, message, vscode.DiagnosticSeverity.Warning);
    diagnostic.source = SOURCE;
    return diagnostic;
  });
}

function toDiagnostic(
  document: vscode.TextDocument,
  { code, severity, message, ...range }: ConfigDiagnostic,
): vscode.Diagnostic {
  const diagnostic = new vscode.Diagnostic(toRange(document, range), message, SEVERITIES[severity]);
  diagnostic.source = SOURCE;
  diagnostic.code = code;
  return diagnostic;
}

function toRange(document: vscode.TextDocument, { offset, length }: TextRange): vscode.Range {
  return new vscode.Range(document.positionAt(offset), document.positionAt(offset + length));
}
