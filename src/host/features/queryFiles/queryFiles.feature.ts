import { toQueryLanguage } from '../../platform/queryLanguage/toQueryLanguage';
import * as vscode from 'vscode';
import type { Sleep } from '../../../base/clock';
import { FleetError } from '../../../core/api/errors';
import type { OrganizationTarget } from '../../../core/model/resourceTarget';
import type { KeyValue } from '../../../core/ports';
import { notebooks } from '../../../manifest/contributions';
import { isNumber } from '../../../shared/guards';
import { CommandFeature } from '../../platform/commands/commandRegistry';
import type { FleetTools } from '../../platform/fleetTools';
import type { QueryLanguageService } from '../../platform/queryLanguage/queryLanguageService';
import type { RunQuery } from '../../platform/featureInterfaces';
import { FileSettings } from './fileSettings';
import {
  COMPLETION_TRIGGERS,
  type FindOrganization,
  isCell,
  type IsRecent,
  QUERY_DOCUMENTS,
  QueryAssistant,
  toRange,
} from './queryAssistant';
import { QueryProblems, RunProblems } from './queryProblems';
import { chooseOrganization, runFile, type RunTools } from './runFile';
import { Disposable } from '../../../base/disposable';
import type { CommandId } from '../../../manifest/commands';

export interface QueryFilesOptions extends Pick<
  FleetTools,
  'commands' | 'sessions' | 'pickTarget'
> {
  readonly language: QueryLanguageService;
  readonly run: RunQuery;
  /** Returns the organization that a cell's notebook queries. */
  readonly findCellOrganization: FindOrganization;
  readonly isRecentCell: IsRecent;
  /** Storage of the workspace. */
  readonly storage: KeyValue;
  readonly sleep: Sleep;
}

/**
 * Queries in files and notebook cells: suggestions, hovers, and quick fixes. Files can also be run.
 */
export class QueryFilesFeature extends CommandFeature {
  private readonly settings: FileSettings;
  private readonly tools: RunTools;

  constructor(private readonly options: QueryFilesOptions) {
    super(options.commands);
    const { language, sleep, storage } = options;
    const settings = this.register(new FileSettings(storage));
    this.settings = settings;
    this.tools = { ...options, settings, problems: this.register(new RunProblems()) };
    const findOrganization: FindOrganization = (document) =>
      isCell(document)
        ? options.findCellOrganization(document)
        : Promise.resolve(settings.findOrganization(document.uri));
    const isRecent: IsRecent = (document) =>
      isCell(document) ? options.isRecentCell(document) : settings.isRecent(document.uri);
    const problems = this.register(new QueryProblems(language, findOrganization, isRecent, sleep));
    this.register(settings.onDidChange(() => problems.checkAll()));
    this.provide(new QueryAssistant(language, findOrganization), problems);
    this.command('fleetwright.queryFile.run', (uri, statement) => this.run(uri, statement));
    this.command('fleetwright.queryFile.chooseOrganization', async (uri) => {
      await chooseOrganization(this.tools, (await resolveDocument(uri)).uri);
    });
    this.command('fleetwright.queryFile.toggleRecent', (uri) => this.toggleRecent(uri));
  }

  /** Saves the organization for a file that is not open yet. */
  async remember(uri: vscode.Uri, target: OrganizationTarget): Promise<void> {
    await this.settings.choose(uri, target);
  }

  private provide(assistant: QueryAssistant, problems: QueryProblems): void {
    const { languages } = vscode;
    const documents = QUERY_DOCUMENTS;
    const lenses = this.register(new QueryLenses(this.settings));
    this.register(
      languages.registerCompletionItemProvider(documents, assistant, ...COMPLETION_TRIGGERS),
    );
    this.register(languages.registerHoverProvider(documents, assistant));
    this.register(
      languages.registerCodeActionsProvider(documents, problems, {
        providedCodeActionKinds: [vscode.CodeActionKind.QuickFix],
      }),
    );
    this.register(languages.registerCodeLensProvider(documents, lenses));
  }

  private async run(uri: object | undefined, statement: unknown): Promise<void> {
    const document = await resolveDocument(uri);
    await runFile(this.tools, document, isNumber(statement) ? statement : undefined);
  }

  private async toggleRecent(uri: object | undefined): Promise<void> {
    if (!uri && vscode.window.activeNotebookEditor?.notebook.notebookType === notebooks.type) {
      await this.options.commands.execute('fleetwright.notebook.toggleRecent');
      return;
    }
    const document = await resolveDocument(uri);
    if (toQueryLanguage(document.languageId) !== 'mql') {
      throw new FleetError(
        'invalid',
        vscode.l10n.t('Only MQL pipelines can be limited to recent data.'),
      );
    }
    if (!this.settings.findOrganization(document.uri)) {
      await chooseOrganization(this.tools, document.uri);
    }
    await this.settings.setRecent(document.uri, !this.settings.isRecent(document.uri));
  }
}

/** Returns the file for a command: the given file or the active one. */
async function resolveDocument(argument: object | undefined): Promise<vscode.TextDocument> {
  const document =
    argument instanceof vscode.Uri
      ? await vscode.workspace.openTextDocument(argument)
      : vscode.window.activeTextEditor?.document;
  if (document && toQueryLanguage(document.languageId) && !isCell(document)) return document;
  throw new FleetError(
    'invalid',
    vscode.l10n.t(
      'Open a file with a query first, such as {0} or {1}.',
      'name.fleet.sql',
      'name.mql.json',
    ),
  );
}

/**
 * Code lenses for the queries in a file, which run a query, select the organization, or set
 * options.
 */
class QueryLenses extends Disposable implements vscode.CodeLensProvider {
  private readonly changed = this.register(new vscode.EventEmitter<void>());
  readonly onDidChangeCodeLenses = this.changed.event;

  constructor(private readonly settings: FileSettings) {
    super();
    this.register(settings.onDidChange(() => this.changed.fire()));
  }

  async provideCodeLenses(document: vscode.TextDocument): Promise<vscode.CodeLens[]> {
    const language = toQueryLanguage(document.languageId);
    if (!language || isCell(document)) return [];
    const { statementsIn } = await import('../../../core/query/language/queryLanguage');
    const { uri } = document;
    const top = new vscode.Range(0, 0, 0, 0);
    return [
      ...statementsIn(language, document.getText()).map((span, index) =>
        lens(toRange(document, span), {
          title: `$(play) ${vscode.l10n.t('Run')}`,
          tooltip: vscode.l10n.t('Show the rows in a panel beside the file'),
          // Passes the index rather than the position, because the position can change before the
          // lenses are updated.
          command: 'fleetwright.queryFile.run',
          arguments: [uri, index],
        }),
      ),
      lens(top, {
        title: `$(organization) ${this.formatOrganization(uri)}`,
        tooltip: vscode.l10n.t('Select the organization this file queries'),
        command: 'fleetwright.queryFile.chooseOrganization',
        arguments: [uri],
      }),
      ...(language === 'mql' ? [this.recentLens(uri, top)] : []),
    ];
  }

  private formatOrganization(uri: vscode.Uri): string {
    const name = this.settings.findOrganization(uri)?.name;
    return name ?? vscode.l10n.t('Select an Organization');
  }

  private recentLens(uri: vscode.Uri, range: vscode.Range): vscode.CodeLens {
    const isRecent = this.settings.isRecent(uri);
    return lens(range, {
      title: `$(history) ${isRecent ? vscode.l10n.t('Recent Data Only') : vscode.l10n.t('All Data')}`,
      tooltip: vscode.l10n.t('Switch between recent data and all data'),
      command: 'fleetwright.queryFile.toggleRecent',
      arguments: [uri],
    });
  }
}

function lens(
  range: vscode.Range,
  command: vscode.Command & { readonly command: CommandId },
): vscode.CodeLens {
  return new vscode.CodeLens(range, command);
}
