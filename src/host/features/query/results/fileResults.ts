import * as vscode from 'vscode';
import { getOwn } from '../../../../base/getOwn';
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
import { WebviewPanels } from '../../../platform/webview/webviewPanels';
import type { FileResultPanel, FileResultPanelOptions } from './fileResultPanel';
import { type FileRun, parseFileRun } from './fileRun';

export interface FileResultsOptions extends Omit<FileResultPanelOptions, 'runs'> {
  readonly extensionUri: vscode.Uri;
  /** Loaded for the first result. */
  readonly runs: () => Promise<QueryRuns>;
  readonly language: Pick<QueryLanguageService, 'check'>;
  /** Prompts for parameter values. Throws `canceled`. */
  readonly promptForParameters: (
    target: OrganizationTarget,
    names: readonly string[],
    known: Texts,
  ) => Promise<Texts>;
}

/** Results of query files, with one panel for each file. */
export class FileResults extends Disposable {
  private readonly panels: WebviewPanels<FileRun, FileResultPanel>;
  /** Parameter values of earlier runs. They are the defaults for later runs. */
  private lastValues: Texts = {};

  constructor(private readonly options: FileResultsOptions) {
    super();
    this.panels = this.register(
      new WebviewPanels({
        type: webviews.fileResult,
        extensionUri: options.extensionUri,
        sessions: options.sessions,
        parseState: (state) => (isFileResultState(state) ? parseFileRun(state.run) : undefined),
        load: async () => {
          const [{ FileResultPanel }, runs] = await Promise.all([
            import('./fileResultPanel'),
            options.runs(),
          ]);
          return (panel, run) => new FileResultPanel(panel, run, { ...options, runs });
        },
        position: { viewColumn: vscode.ViewColumn.Beside, preserveFocus: true },
      }),
    );
  }

  /** Runs a query from a file and shows the result next to the file. */
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
    const parameters = Object.fromEntries(names.map((one) => [one, getOwn(values, one) ?? '']));
    const run: FileRun = {
      uri: uri.toString(),
      target,
      at: clock.now().getTime(),
      query: { ...query, parameters, file: { name: getFileName(uri), ...lines } },
    };
    return (await this.panels.reveal(run)).run(run);
  };
}
