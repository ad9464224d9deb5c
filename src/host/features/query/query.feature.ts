import * as vscode from 'vscode';
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
import { emptyPanel, type PanelStart } from './panelStart';
import type { PickedFrom } from './promptForParameters';
import { firstQuery, getQueriedOrganization } from './queriedOrganization';
import type { QueryPanel, QueryPanelOptions } from './queryPanel';

export interface QueryFeatureOptions extends Omit<QueryPanelOptions, 'pickFrom' | 'runs'> {
  /** Loaded when the first panel opens. */
  readonly runs: () => Promise<QueryRuns>;
  readonly schemas: QuerySchemas;
}

/** Maximum time in milliseconds to wait for the names of components. */
const COMPONENTS_WAIT_MS = 5_000;

interface PanelDeps {
  readonly QueryPanel: typeof QueryPanel;
  readonly runs: QueryRuns;
}

/** Queries over readings, with one panel for each organization. */
export class QueryFeature extends CommandFeature {
  private readonly panels = new Set<QueryPanel>();

  constructor(private readonly options: QueryFeatureOptions) {
    super(options.commands);
    this.command('fleetwright.query.open', (target) => this.open(target));
    this.command('fleetwright.query.openText', (query) => this.openText(query));
    this.command('fleetwright.query.showHistory', () => this.openEarlier());
    this.register(
      vscode.window.registerWebviewPanelSerializer(webviews.query.viewType, {
        deserializeWebviewPanel: (panel, state) => this.restore(panel, state),
      }),
    );
    this.register({ dispose: () => this.panels.forEach((panel) => panel.dispose()) });
  }

  /**
   * Prompts for the values of parameters, which the user selects from the fleet or types. Throws
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

  private async open(given: QueryableTarget | undefined): Promise<void> {
    const target = given ?? (await this.options.pickTarget('organization'));
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
    const front = [...this.panels].find(({ isInFront }) => isInFront)?.target;
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
    const panel = await this.getPanel(organization);
    if (text) panel.give(text);
  }

  /** Returns the panel of an organization and activates it. */
  private async getPanel(target: OrganizationTarget): Promise<QueryPanel> {
    // Loaded before the panel lookup, so that two concurrent requests get the same panel.
    const deps = await this.loadPanelDeps();
    const open = [...this.panels].find((panel) => panel.shows(target));
    open?.show();
    if (open) return open;
    const panel = vscode.window.createWebviewPanel(
      webviews.query.viewType,
      target.name,
      vscode.ViewColumn.Active,
    );
    return this.fill(deps, panel, emptyPanel(target));
  }

  /** After a window reload, VS Code provides the panel and the state of its webview. */
  private async restore(panel: vscode.WebviewPanel, state: unknown): Promise<void> {
    const target = isQueryPanelState(state) ? describedOrganization(state.panel) : undefined;
    if (isQueryPanelState(state) && target) {
      const { language, texts, recent, parameters } = state;
      this.fill(await this.loadPanelDeps(), panel, { target, language, texts, recent, parameters });
    } else {
      panel.dispose();
    }
  }

  /**
   * Loads the dependencies of panels, which make up most of the feature and are needed only when a
   * panel opens.
   */
  private async loadPanelDeps(): Promise<PanelDeps> {
    const [{ QueryPanel }, runs] = await Promise.all([import('./queryPanel'), this.options.runs()]);
    return { QueryPanel, runs };
  }

  private fill(
    { QueryPanel, runs }: PanelDeps,
    panel: vscode.WebviewPanel,
    start: PanelStart,
  ): QueryPanel {
    const pickFrom = (target: OrganizationTarget): PickedFrom => this.pickFrom(target);
    const filled = new QueryPanel(panel, start, { ...this.options, runs, pickFrom });
    this.panels.add(filled);
    panel.onDidDispose(() => this.panels.delete(filled));
    return filled;
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
