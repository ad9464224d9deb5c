import * as vscode from 'vscode';
import { Disposable } from '../../../../base/disposable';
import type { OrganizationTarget } from '../../../../core/model/resourceTarget';
import type { QueryRuns } from '../../../../core/query/queryRuns';
import { webviews } from '../../../../manifest/contributions';
import { isFileResultState } from '../../../../shared/query/fileResult';
import type { Texts } from '../../../../shared/query/queryPanel';
import { getFileName } from '../../../platform/documents/documentUris';
import type { QueryLanguageService } from '../../../platform/queryLanguage/queryLanguageService';
import { requireRight } from '../../../platform/permissions/requireRight';
import type { RunQuery } from '../../../platform/featureInterfaces';
import type { FileResultPanel, FileResultPanelOptions } from './fileResultPanel';
import { type FileRun, parseFileRun } from './fileRun';

export interface FileResultsOptions extends Omit<FileResultPanelOptions, 'runs'> {
  /** Loaded for the first result. */
  readonly runs: () => Promise<QueryRuns>;
  readonly language: Pick<QueryLanguageService, 'check'>;
  /** Prompts for the values of parameters. Throws `canceled`. */
  readonly promptForParameters: (
    target: OrganizationTarget,
    names: readonly string[],
    known: Texts,
  ) => Promise<Texts>;
}

type OpenPanel = (panel: vscode.WebviewPanel, run: FileRun) => FileResultPanel;

/** Results of query files, with one panel for each file. */
export class FileResults extends Disposable {
  private readonly panels = new Set<FileResultPanel>();
  /** Parameter values of earlier runs. They are the defaults for later runs. */
  private lastValues: Texts = {};

  constructor(private readonly options: FileResultsOptions) {
    super();
    this.register(
      vscode.window.registerWebviewPanelSerializer(webviews.fileResult.viewType, {
        deserializeWebviewPanel: (panel, state) => this.restore(panel, state),
      }),
    );
    this.register({ dispose: () => this.panels.forEach((panel) => panel.dispose()) });
  }

  /** Runs a query of a file and shows the result next to the file. */
  readonly run: RunQuery = async ({ connectionId, organizationId, uri, lines, ...query }) => {
    const { sessions, language, promptForParameters, clock } = this.options;
    const stores = sessions.stores(connectionId);
    const { name } = await stores.organizations.get(organizationId);
    const target: OrganizationTarget = {
      kind: 'organization',
      connectionId,
      organizationId,
      name,
    };
    await requireRight(stores, target, 'readData');
    const { parameters: names } = await language.check(query, target);
    const values = await promptForParameters(target, names, this.lastValues);
    this.lastValues = { ...this.lastValues, ...values };
    const parameters = Object.fromEntries(names.map((one) => [one, values[one] ?? '']));
    const run: FileRun = {
      uri: uri.toString(),
      target,
      at: clock.now().getTime(),
      query: { ...query, parameters, file: { name: getFileName(uri), ...lines } },
    };
    const fill = await this.load();
    return this.show(run, fill).run(run);
  };

  /** Shows the panel of a file and returns it. */
  private show(run: FileRun, fill: OpenPanel): FileResultPanel {
    const open = [...this.panels].find(({ uri }) => uri === run.uri);
    open?.revealBeside();
    if (open) return open;
    const showOptions = { viewColumn: vscode.ViewColumn.Beside, preserveFocus: true };
    const { name } = run.query.file;
    return fill(
      vscode.window.createWebviewPanel(webviews.fileResult.viewType, name, showOptions),
      run,
    );
  }

  /**
   * Fills a panel that VS Code restores after a window reload, based on the run that its webview
   * saved.
   */
  private async restore(panel: vscode.WebviewPanel, state: unknown): Promise<void> {
    const run = isFileResultState(state) ? parseFileRun(state.run) : undefined;
    if (run) (await this.load())(panel, run);
    else panel.dispose();
  }

  /** Loads the panel code, which most windows don't need. */
  private async load(): Promise<OpenPanel> {
    const [{ FileResultPanel }, runs] = await Promise.all([
      import('./fileResultPanel'),
      this.options.runs(),
    ]);
    return (panel, run) => {
      const filled = new FileResultPanel(panel, run, { ...this.options, runs });
      this.panels.add(filled);
      panel.onDidDispose(() => this.panels.delete(filled));
      return filled;
    };
  }
}
