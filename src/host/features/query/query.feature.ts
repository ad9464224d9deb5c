import type * as vscode from 'vscode';
import type { OrganizationTarget } from '../../../core/model/resourceTarget';
import type { QueryRuns } from '../../../core/query/queryRuns';
import type { QuerySchemas } from '../../../core/query/schema/querySchemas';
import type { FleetStores } from '../../../core/stores/fleetStores';
import type { InitialQuery, QueryableTarget } from '../../../manifest/commandArguments';
import { webviews } from '../../../manifest/contributions';
import type { QueryText } from '../../../shared/query/editor';
import { isQueryPanelState, type Texts } from '../../../shared/query/queryPanel';
import { CommandFeature } from '../../platform/commands/commandRegistry';
import { describedOrganization } from '../../platform/targetOrganization';
import { requireConnection } from '../../platform/sessionProvider';
import { requireRight } from '../../platform/permissions/requireRight';
import { WebviewPanels } from '../../platform/webview/webviewPanels';
import { emptyPanel, type PanelStart } from './panelStart';
import type { PickedFrom } from './promptForParameters';
import { firstQuery, getQueriedOrganization } from './queriedOrganization';
import type { QueryPanel, QueryPanelOptions } from './queryPanel';

export interface QueryFeatureOptions extends Omit<QueryPanelOptions, 'pickFrom' | 'runs'> {
  /** Loaded when the first panel opens. */
  readonly runs: () => Promise<QueryRuns>;
  readonly schemas: QuerySchemas;
  readonly extensionUri: vscode.Uri;
}

/** Maximum time in milliseconds to wait for the names of components. */
const COMPONENTS_WAIT_MS = 5_000;

/** Queries over readings, with one panel for each organization. */
export class QueryFeature extends CommandFeature {
  private readonly panels: WebviewPanels<PanelStart, QueryPanel>;

  constructor(private readonly options: QueryFeatureOptions) {
    super(options.commands);
    this.panels = this.register(
      new WebviewPanels({
        type: webviews.query,
        extensionUri: options.extensionUri,
        sessions: options.sessions,
        parseState,
        load: async () => {
          const [{ QueryPanel }, runs] = await Promise.all([
            import('./queryPanel'),
            options.runs(),
          ]);
          const pickFrom = (target: OrganizationTarget): PickedFrom => this.pickFrom(target);
          return (panel, start) => new QueryPanel(panel, start, { ...options, runs, pickFrom });
        },
      }),
    );
    this.command('fleetwright.query.open', (target) => this.open(target));
    this.command('fleetwright.query.openText', (query) => this.openText(query));
    this.command('fleetwright.query.showHistory', () => this.openEarlier());
  }

  /**
   * Prompts for parameter values, which the user selects from the fleet or types. Throws
   * `canceled`.
   */
  readonly promptForParameters = async (
    of: OrganizationTarget,
    names: readonly string[],
    known: Texts,
  ): Promise<Texts> => {
    const [{ promptForParameters: promptForValues }, { pickParameter }] = await Promise.all([
      import('./promptForParameters'),
      import('./promptForParameters'),
    ]);
    return promptForValues(names, known, (name) => pickParameter(this.pickFrom(of), name));
  };

  private async open(requestedTarget: QueryableTarget | undefined): Promise<void> {
    const target = requestedTarget ?? (await this.options.pickTarget('organization'));
    const stores = this.options.sessions.stores(target.connectionId);
    const organization = await getQueriedOrganization(stores, target);
    await this.show(stores, organization, await firstQuery(stores, target));
  }

  private async openText({ organization, language, text }: InitialQuery): Promise<void> {
    const stores = this.options.sessions.stores(organization.connectionId);
    await this.show(stores, organization, { language, text });
  }

  private async openEarlier(): Promise<void> {
    const { sessions, history, pickTarget } = this.options;
    const { id } = requireConnection(sessions);
    const { pickFromHistory } = await import('./historyPick');
    const { language, text } = await pickFromHistory(history, id);
    const front = this.panels.active?.target;
    const isHere = front?.connectionId === id;
    const organization = isHere ? front : await pickTarget('organization', id);
    await this.show(sessions.stores(id), organization, { language, text });
  }

  private async show(
    stores: FleetStores,
    organization: OrganizationTarget,
    text: QueryText | undefined,
  ): Promise<void> {
    await requireRight(stores, organization, 'readData');
    const panel = await this.panels.reveal(emptyPanel(organization));
    if (text) panel.insertQuery(text);
  }

  private pickFrom(target: OrganizationTarget): PickedFrom {
    const { pickTarget, schemas } = this.options;
    return {
      connectionId: target.connectionId,
      pickTarget,
      components: async () => {
        const { values } = await schemas.load(target, AbortSignal.timeout(COMPONENTS_WAIT_MS));
        return values.get('component_name') ?? [];
      },
    };
  }
}

/** Parses a page's state after a window reload. */
function parseState(state: unknown): PanelStart | undefined {
  if (!isQueryPanelState(state)) return undefined;
  const target = describedOrganization(state.panel);
  const { language, texts, recent, parameters } = state;
  return target && { target, language, texts, recent, parameters };
}
