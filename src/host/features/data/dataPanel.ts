import * as vscode from "vscode";
import { Disposable } from "../../../base/disposable";
import { isCancelled, toFleetError } from "../../../core/api/errors";
import type { Clock, KeyValue, Logger, Sleep } from "../../../core/ports";
import { webviews } from "../../../manifest/webviews";
import type { DataFilter } from "../../../shared/data/dataFilter";
import {
  type DataTab,
  dataTabs,
  type panelMessages,
} from "../../../shared/data/dataPanel";
import {
  type DataProtocol,
  dataProtocol,
} from "../../../shared/data/dataProtocol";
import type { HostHandlers } from "../../../shared/protocol";
import { fillWebview } from "../../platform/fillWebview";
import type { BulkReports } from "../../platform/bulkReports";
import type { FleetTools } from "../../platform/fleetTools";
import { WebviewDispatcher } from "../../platform/webviewDispatcher";
import { BoxSession } from "./boxes/boxSession";
import { boxProblemText, tellUnfinishedBoxes } from "./boxes/boxWords";
import { type Applied, DataSession } from "./dataSession";
import { dataStrings } from "./dataStrings";
import { filterNames } from "./filter/filterNames";
import { itemHandlers } from "./items/itemHandlers";
import { type DescribedPanel, describePanel } from "./panelDescription";
import { readingHandlers } from "./readings/readingHandlers";

export interface DataPanelOptions extends FleetTools {
  readonly extensionUri: vscode.Uri;
  readonly presentError: (error: unknown) => void;
  readonly clock: Clock;
  readonly reports: BulkReports;
  readonly sleep: Sleep;
  /** Remembers what is half done. */
  readonly storage: KeyValue;
  readonly log: Logger;
}

/** What a panel begins with. */
export interface PanelStart extends DescribedPanel {
  readonly filter: DataFilter;
  readonly tab: DataTab;
}

/** Captured data of some place in a webview. */
export class DataPanel extends Disposable {
  readonly session: DataSession;
  private readonly dispatcher: WebviewDispatcher<DataProtocol>;
  private tab: DataTab;

  constructor(
    private readonly panel: vscode.WebviewPanel,
    private readonly start: PanelStart,
    private readonly options: DataPanelOptions,
  ) {
    super();
    const { extensionUri, presentError, log } = options;
    this.tab = start.tab;
    this.session = this.register(
      new DataSession(start.connectionId, start.filter, options),
    );
    const boxes = this.register(this.annotating());
    const handlers = {
      ...this.panelHandlers(),
      ...itemHandlers(this.session),
      ...boxes.handlers(),
      ...readingHandlers({
        session: this.session,
        tellRead: (progress) =>
          this.dispatcher.notify("readingsRead", progress),
      }),
    };
    this.dispatcher = this.register(
      new WebviewDispatcher(
        dataProtocol,
        panel.webview,
        handlers,
        presentError,
        log,
      ),
    );
    this.register(
      this.session.onDidApply((applied) => void this.tell(applied)),
    );
    this.register(panel.onDidDispose(() => this.dispose()));
    panel.iconPath = new vscode.ThemeIcon("database");
    panel.title = vscode.l10n.t("Data: {0}", start.name);
    fillWebview(panel, extensionUri, webviews.data.app);
  }

  /** Whether it was opened on the same. */
  shows({ connectionId, name }: DescribedPanel): boolean {
    return this.start.connectionId === connectionId && this.start.name === name;
  }

  show(): void {
    this.panel.reveal();
  }

  private annotating(): BoxSession {
    const { storage, sleep } = this.options;
    return new BoxSession({
      ...{ session: this.session, storage, sleep },
      notify: (image) => this.dispatcher.notify("boxesChanged", image),
      wordsOf: boxProblemText,
      tellUnfinished: tellUnfinishedBoxes,
    });
  }

  private panelHandlers(): HostHandlers<typeof panelMessages> {
    const { session, panel, start, options } = this;
    const script = vscode.Uri.joinPath(
      options.extensionUri,
      "dist",
      "webview",
      "pointCloud.js",
    );
    return {
      ready: () => {
        return Promise.resolve({
          strings: dataStrings(),
          locale: vscode.env.language,
          panel: describePanel(start),
          filter: session.filter,
          tab: this.tab,
          canWrite: true,
          pointCloudScript: panel.webview.asWebviewUri(script).toString(),
        });
      },
      setFilter: ({ filter }) => session.apply(filter),
      refresh: () => session.apply(),
      setTab: ({ tab }) => (this.tab = tab),
    };
  }

  private async tell(applied: Applied): Promise<void> {
    const { generation, filter, stores } = applied;
    this.dispatcher.notify("filterApplied", { generation, filter });
    for (const tab of dataTabs) void this.count(applied, tab);
    const names = await filterNames(stores, filter);
    const isCurrent = this.session.current.generation === generation;
    if (isCurrent) this.dispatcher.notify("filterNamed", { generation, names });
  }

  private async count(
    { generation, browse }: Applied,
    tab: DataTab,
  ): Promise<void> {
    try {
      const total =
        tab === "readings"
          ? { count: await browse.countReadings() }
          : await browse.total(tab);
      this.dispatcher.notify("counted", { generation, tab, ...total });
    } catch (error) {
      if (isCancelled(error)) return;
      const problem = toFleetError(error).message;
      this.dispatcher.notify("counted", { generation, tab, problem });
    }
  }
}
