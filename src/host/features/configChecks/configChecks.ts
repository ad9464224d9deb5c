import * as vscode from 'vscode';
import { Disposable } from '../../../base/disposable';
import { checkConfig } from '../../../core/configChecks/checkConfig';
import {
  checkModules,
  type KnownModules,
  moduleIdsIn,
} from '../../../core/configChecks/checkModules';
import type { ConfigDiagnostic, ConfigSeverity } from '../../../core/configChecks/configDiagnostic';
import type { FleetCatalog } from '../../../core/configChecks/fleetCatalog';
import { parseStrictTree } from '../../../core/documents/jsonText';
import { findPathRange } from '../../../core/documents/resolvedText';
import type { TextRange } from '../../../core/documents/rejection';
import type { ConnectionId } from '../../../core/model/ids';
import { schemes } from '../../../manifest/contributions';
import {
  isPartAddress,
  parseDocumentAddress,
  type PartAddress,
} from '../../platform/documents/documentUris';
import {
  type KnownFragments,
  type ResolvedPart,
  resolvePart,
} from '../../platform/documents/resolvePart';
import type { SessionProvider } from '../../platform/sessionProvider';
import { formatResolveProblem } from '../../platform/documents/formatResolveProblem';
import { type CheckedConfig, ConfigFixes, ConfigNames, ScheduleHover } from './configLanguage';
import { DeployFixes } from './deployFixes';
import { FleetCatalogs, parseConfigAddress } from './fleetCatalogs';
import { FleetCompletion } from './fleetCompletion';
import { ConfigOutline, FleetLinks } from './fleetLinks';

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
 * in references to other entries, and in the use of fragments and modules. Reads fragments and
 * modules again only after they have changed. Never prevents a save.
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

  constructor(private readonly sessions: SessionProvider) {
    super();
    const { workspace, languages } = vscode;
    this.catalogs = this.register(new FleetCatalogs(sessions));
    this.register(workspace.onDidOpenTextDocument((document) => void this.check(document)));
    this.register(workspace.onDidChangeTextDocument(({ document }) => this.checkSoon(document)));
    this.register(workspace.onDidCloseTextDocument(({ uri }) => this.forget(uri)));
    // A saved document shows that the service responds, even if nothing else has noticed.
    this.register(
      workspace.onDidSaveTextDocument((document) => this.catalogs.find(document)?.catalog.resume()),
    );
    this.register(this.catalogs.onDidChange((id) => this.checkAgain(id)));
    this.register({ dispose: () => this.waiting.forEach((timer) => clearTimeout(timer)) });
    const selector = { scheme: schemes.document };
    const find = (document: vscode.TextDocument): CheckedConfig | undefined =>
      this.checked.get(document.uri.toString());
    const names = new ConfigNames(find);
    const fleet = new FleetCompletion(this.catalogs, find);
    this.register(languages.registerCodeActionsProvider(selector, new ConfigFixes(find)));
    const deployFixes = new DeployFixes(this.catalogs, find);
    this.register(languages.registerCodeActionsProvider(selector, deployFixes));
    this.register(languages.registerHoverProvider(selector, new ScheduleHover()));
    this.register(languages.registerDefinitionProvider(selector, names));
    this.register(languages.registerReferenceProvider(selector, names));
    this.register(languages.registerRenameProvider(selector, names));
    this.register(languages.registerCompletionItemProvider(selector, names, '"'));
    this.register(languages.registerCompletionItemProvider(selector, fleet, '"'));
    const links = this.register(new FleetLinks(this.catalogs));
    this.register(languages.registerCodeLensProvider(selector, links));
    this.register(languages.registerDocumentLinkProvider(selector, links));
    const outline = new ConfigOutline(this.catalogs);
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
    const timer = setTimeout(() => void this.check(document), PAUSE_MS);
    this.waiting.set(key, timer);
  }

  /** Checks the configs of a connection again, whose fragments or modules have changed. */
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
    const text = document.getText();
    const before = this.checked.get(key);
    const known = this.outdated.delete(key) ? undefined : before?.resolved?.known;
    // Mistakes in the text are shown without waiting for the service.
    if (!isFragment && !before?.resolved) this.show(document, checkText(text));
    const resolved = isPartAddress(config)
      ? await this.resolve(config, catalog, text, known)
      : undefined;
    const modules = resolved ? await readModules(catalog, resolved) : new Map();
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

  /**
   * Returns the config of a part with its fragments; undefined if they can't be read. Then, only
   * the text itself is checked.
   */
  private async resolve(
    address: PartAddress,
    catalog: FleetCatalog,
    text: string,
    known: KnownFragments | undefined,
  ): Promise<ResolvedPart | undefined> {
    // Remembers a part that can't be read, which the next edit would read again.
    const part = await catalog.part(address.subject.id);
    if (!part?.value) return undefined;
    const resolved = await catalog.attempt(() => resolvePart(this.sessions, address, known, text));
    return resolved?.value;
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

  private forget(uri: vscode.Uri): void {
    const key = uri.toString();
    clearTimeout(this.waiting.get(key));
    this.waiting.delete(key);
    this.checked.delete(key);
    this.outdated.delete(key);
    this.collection.delete(uri);
  }
}

/** Returns the modules of a config, without those that can't be read at the moment. */
async function readModules(
  catalog: FleetCatalog,
  { config }: Pick<ResolvedPart, 'config'>,
): Promise<KnownModules> {
  const ids = moduleIdsIn(config).slice(0, MAX_MODULES);
  const read = await Promise.all(ids.map((id) => catalog.module(id)));
  return new Map(
    ids.flatMap((id, index) => {
      const module = read[index];
      return module ? [[id, module.value] as const] : [];
    }),
  );
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
