import * as vscode from 'vscode';
import { Disposable } from '../../../base/disposable';
import type { KnownModules } from '../../../core/configChecks/checkModules';
import {
  checkResolvedConfigInSteps,
  type ResolvedDiagnostic,
} from '../../../core/configChecks/checkResolvedConfig';
import type { ConfigSeverity } from '../../../core/configChecks/configDiagnostic';
import type { FleetCatalog } from '../../../core/configChecks/fleetCatalog';
import { moduleIdsIn } from '../../../core/configChecks/fleetReferences';
import type { ParsedConfig } from '../../../core/documents/resolvedText';
import type { ConnectionId } from '../../../core/model/ids';
import { schemes } from '../../../manifest/contributions';
import type { DocumentAddress } from '../../../core/documents/documentAddress';
import { isPartAddress, parseDocumentAddress } from '../../platform/documents/documentUris';
import {
  type KnownFragments,
  resolveFragment,
  type ResolvedPart,
  type RunSteps,
  resolvePart,
} from '../../platform/documents/resolvePart';
import type { SessionProvider } from '../../platform/sessionProvider';
import { type CheckedConfig, ConfigFixes, ConfigNames, ScheduleHover } from './configLanguage';
import { ConfigOutline } from './configOutline';
import { DeployFixes } from './deployFixes';
import { FleetCatalogs, parseConfigAddress } from './fleetCatalogs';
import { FleetCompletion } from './fleetCompletion';
import { FleetLinks } from './fleetLinks';
import { ParsedConfigs, type ParsedDocument } from './parsedConfigs';
import { toRange } from '../../platform/documents/toRange';

/** Debounce delay in milliseconds before an edit is checked. */
const PAUSE_MS = 300;

const SOURCE = 'Fleetwright';

const SEVERITIES: Readonly<Record<ConfigSeverity, vscode.DiagnosticSeverity>> = {
  error: vscode.DiagnosticSeverity.Error,
  warning: vscode.DiagnosticSeverity.Warning,
  // VS Code doesn't list diagnostics with the severity Hint in Problems.
  hint: vscode.DiagnosticSeverity.Information,
  suggestion: vscode.DiagnosticSeverity.Hint,
};

/**
 * Marks mistakes in part and fragment configs while they are edited: in the text itself, in
 * references to other entries, and in the use of fragments and modules. Reads fragments and modules
 * again only after they have changed. Never prevents a save.
 */
export class ConfigChecks extends Disposable {
  private readonly collection = this.register(
    vscode.languages.createDiagnosticCollection('fleetwright-config'),
  );
  private readonly catalogs: FleetCatalogs;
  private readonly checked = new Map<string, CheckedConfig>();
  /** Configs whose fragments have changed since they were checked. */
  private readonly outdated = new Set<string>();
  private readonly waiting = new Map<string, NodeJS.Timeout>();
  /** The last run for each document. A newer version of the document aborts it. */
  private readonly runs = new Map<string, AbortController>();

  constructor(
    private readonly sessions: SessionProvider,
    private readonly configs = new ParsedConfigs(),
  ) {
    super();
    this.register(configs);
    const { workspace, languages } = vscode;
    this.catalogs = this.register(new FleetCatalogs(sessions));
    this.register(workspace.onDidOpenTextDocument((document) => void this.check(document)));
    this.register(workspace.onDidChangeTextDocument(({ document }) => this.checkSoon(document)));
    this.register(workspace.onDidCloseTextDocument(({ uri }) => this.removeChecks(uri)));
    // A saved document shows that the service responds, even if nothing else has noticed.
    this.register(
      workspace.onDidSaveTextDocument((document) => this.catalogs.find(document)?.catalog.resume()),
    );
    this.register(this.catalogs.onDidChange((id) => this.checkAgain(id)));
    this.register({ dispose: () => this.waiting.forEach((timer) => clearTimeout(timer)) });
    this.register({ dispose: () => this.runs.forEach((run) => run.abort()) });
    const selector = { scheme: schemes.document };
    const find = (document: vscode.TextDocument): CheckedConfig | undefined =>
      this.checked.get(document.uri.toString());
    const names = new ConfigNames(configs, find);
    const fleet = new FleetCompletion(this.catalogs, configs, find);
    this.register(languages.registerCodeActionsProvider(selector, new ConfigFixes(find)));
    const deployFixes = new DeployFixes(this.catalogs, find);
    this.register(languages.registerCodeActionsProvider(selector, deployFixes));
    this.register(languages.registerHoverProvider(selector, new ScheduleHover(configs)));
    this.register(languages.registerDefinitionProvider(selector, names));
    this.register(languages.registerReferenceProvider(selector, names));
    this.register(languages.registerRenameProvider(selector, names));
    this.register(languages.registerCompletionItemProvider(selector, names, '"'));
    this.register(languages.registerCompletionItemProvider(selector, fleet, '"'));
    const links = this.register(new FleetLinks(this.catalogs, configs));
    this.register(languages.registerCodeLensProvider(selector, links));
    this.register(languages.registerDocumentLinkProvider(selector, links));
    const outline = new ConfigOutline(this.catalogs, configs);
    this.register(
      languages.registerDocumentSymbolProvider(selector, outline, { label: 'Fleetwright' }),
    );
    for (const document of workspace.textDocuments) void this.check(document);
  }

  private checkSoon(document: vscode.TextDocument): void {
    const key = document.uri.toString();
    clearTimeout(this.waiting.get(key));
    this.waiting.delete(key);
    if (!parseConfigAddress(document)) return;
    this.runs.get(key)?.abort();
    const timer = setTimeout(() => void this.check(document), PAUSE_MS);
    this.waiting.set(key, timer);
  }

  /** Rechecks a connection's configs whose fragments or modules have changed. */
  private checkAgain(id: ConnectionId): void {
    for (const key of this.checked.keys()) {
      const address = parseDocumentAddress(vscode.Uri.parse(key));
      if (address?.connectionId === id) this.outdated.add(key);
    }
    for (const document of vscode.workspace.textDocuments) {
      if (parseConfigAddress(document)?.connectionId === id) this.checkSoon(document);
    }
  }

  /** Checks a document, if it is a config, and marks its mistakes. */
  async check(document: vscode.TextDocument): Promise<void> {
    const { uri, version } = document;
    const config = this.catalogs.find(document);
    if (!config) return;
    const { catalog } = config;
    const isFragment = config.subject.type === 'fragmentConfig';
    const key = uri.toString();
    const signal = this.startRun(key);
    const before = this.checked.get(key);
    const edited = await this.configs.get(document);
    if (!edited) return;
    const parsed = edited.config;
    const known = this.outdated.delete(key) ? undefined : before?.resolved?.known;
    const { l10n } = vscode;
    try {
      signal.throwIfAborted();
      const check = async (
        resolved: ResolvedPart | undefined,
        modules: KnownModules,
      ): Promise<ResolvedDiagnostic[]> => {
        if (!parsed) return [];
        const options = { resolved, modules, isFragment, names: await edited.findNames(), l10n };
        return this.configs.run(checkResolvedConfigInSteps(parsed, options), signal);
      };
      // Mistakes in the text are shown without waiting for the service.
      if (!before?.resolved) {
        const found = await check(undefined, new Map());
        await this.show(document, edited, found, signal);
      }
      const resolved = parsed
        ? await this.resolve(config, catalog, parsed, known, signal)
        : undefined;
      signal.throwIfAborted();
      const ids = resolved ? moduleIdsIn(resolved.config) : [];
      const modules = await catalog.modulesById(ids);
      signal.throwIfAborted();
      const diagnostics = await check(resolved, modules);
      signal.throwIfAborted();
      if (document.isClosed || document.version !== version) return;
      this.checked.set(key, { version, diagnostics, resolved, modules });
      await this.show(document, edited, diagnostics, signal);
    } catch (error) {
      if (!signal.aborted) throw error;
      // The next run has to read the fragments that this one would have read.
      if (before?.resolved && known === undefined) this.outdated.add(key);
    }
  }

  /** Aborts the previous run for a document, and returns the signal of a new one. */
  private startRun(key: string): AbortSignal {
    this.runs.get(key)?.abort();
    const run = new AbortController();
    this.runs.set(key, run);
    return run.signal;
  }

  /**
   * Returns a config with its fragments; undefined if they can't be read. In that case, only the text
   * itself is checked.
   */
  private async resolve(
    address: DocumentAddress,
    catalog: FleetCatalog,
    parsed: ParsedConfig,
    known: KnownFragments | undefined,
    signal: AbortSignal,
  ): Promise<ResolvedPart | undefined> {
    const run: RunSteps = (steps) => this.configs.run(steps, signal);
    if (!isPartAddress(address)) {
      return resolveFragment(address.subject.id, { catalog, parsed, known, run });
    }
    // Remembers a part that can't be read, which the next edit would read again.
    const part = await catalog.part(address.subject.id);
    if (!part?.value) return undefined;
    const resolved = await catalog.attempt(() =>
      resolvePart(this.sessions, address, known, parsed, run),
    );
    return resolved?.value;
  }

  private async show(
    document: vscode.TextDocument,
    edited: ParsedDocument,
    diagnostics: readonly ResolvedDiagnostic[],
    signal: AbortSignal,
  ): Promise<void> {
    const steps = toMarksInSteps(document, edited, diagnostics);
    const marks = await this.configs.run(steps, signal);
    if (!document.isClosed && document.version === edited.version) {
      this.collection.set(document.uri, marks);
    }
  }

  private removeChecks(uri: vscode.Uri): void {
    const key = uri.toString();
    clearTimeout(this.waiting.get(key));
    this.waiting.delete(key);
    this.runs.get(key)?.abort();
    this.runs.delete(key);
    this.checked.delete(key);
    this.outdated.delete(key);
    this.collection.delete(uri);
  }
}

/** Returns the diagnostics to show, in steps. */
function* toMarksInSteps(
  document: vscode.TextDocument,
  { version }: ParsedDocument,
  diagnostics: readonly ResolvedDiagnostic[],
): Generator<undefined, vscode.Diagnostic[], void> {
  const marks: vscode.Diagnostic[] = [];
  for (const diagnostic of diagnostics) {
    // Offsets have no positions in a later version of the document.
    if (document.version !== version) return marks;
    marks.push(toDiagnostic(document, diagnostic));
    yield;
  }
  return marks;
}

function toDiagnostic(
  document: vscode.TextDocument,
  { code, severity, message, ...range }: ResolvedDiagnostic,
): vscode.Diagnostic {
  const diagnostic = new vscode.Diagnostic(toRange(document, range), message, SEVERITIES[severity]);
  diagnostic.source = SOURCE;
  if (code !== undefined) diagnostic.code = code;
  return diagnostic;
}
