import * as l10n from '@vscode/l10n';
import type { LogPart } from '../../src/shared/logs';
import type { HostRecoveryAction } from '../../src/shared/recoveryAction';
import { getRecoveryLabel } from '../ui/createErrorBox';
import {
  element,
  redrawKeepingFocus,
  textButton,
  updateChildren,
  updateText,
} from '../ui/elements';

export interface NoticeActions {
  reconnect(part: string): void;
  /** Runs a recovery action other than a retry. */
  recover(recovery: HostRecoveryAction): void;
}

/** States that have a notice below the parts. */
const NOTICED: ReadonlySet<LogPart['state']> = new Set(['silent', 'retrying', 'stopped']);

interface Notice {
  readonly element: HTMLElement;
  /** Heading with the part's state; undefined if several parts share the notice. */
  readonly heading: HTMLElement | undefined;
}

/** Notices about the parts that are not connected. */
export class PartNotices {
  readonly element = element('div', { class: 'notices' });
  /** Notices by everything that they show except the countdown. */
  private notices = new Map<string, Notice>();

  constructor(private readonly actions: NoticeActions) {}

  show(parts: readonly LogPart[]): void {
    const before = this.notices;
    this.notices = new Map(
      groupParts(parts).map((group) => {
        const key = getNoticeKey(group);
        return [key, before.get(key) ?? this.createNotice(group)];
      }),
    );
    redrawKeepingFocus(
      this.element,
      () =>
        updateChildren(
          this.element,
          [...this.notices.values()].map((notice) => notice.element),
        ),
      () => undefined,
    );
    this.updateStates(parts);
  }

  /** Updates the countdowns. */
  updateStates(parts: readonly LogPart[]): void {
    for (const group of groupParts(parts)) {
      const heading = this.notices.get(getNoticeKey(group))?.heading;
      const [part] = group;
      if (heading && part) updateText(heading, `${part.label}: ${describePartState(part)}`);
    }
  }

  private createNotice([part, ...others]: readonly LogPart[]): Notice {
    const detail = element('span', {}, part?.detail);
    if (!part || others.length > 0) {
      const shared = element('div', { class: 'notice state-silent' }, detail);
      return { element: shared, heading: undefined };
    }
    const heading = element('strong');
    const action = part.state === 'silent' ? undefined : this.createAction(part);
    const attributes = { class: `notice state-${part.state}` };
    return { element: element('div', attributes, heading, detail, action), heading };
  }

  private createAction({ key, label, state, recovery = 'retry' }: LogPart): HTMLElement {
    const { actions } = this;
    const again = state === 'stopped' ? l10n.t('Reconnect') : l10n.t('Try Now');
    const text = recovery === 'retry' ? again : getRecoveryLabel(recovery);
    return textButton(
      text,
      () => (recovery === 'retry' ? actions.reconnect(key) : actions.recover(recovery)),
      { focusKey: `reconnect ${key}`, hint: `${text}: ${label}` },
    );
  }
}

/**
 * Returns the parts that have a notice, grouped by notice. Parts affected by the same unresponsive
 * service share a notice, because their chips show their names.
 */
function groupParts(parts: readonly LogPart[]): readonly (readonly LogPart[])[] {
  const noticed = parts.filter(({ state }) => NOTICED.has(state));
  const groups = Map.groupBy(noticed, ({ key, state, detail }) =>
    state === 'silent' ? `silent ${detail}` : `part ${key}`,
  );
  return [...groups.values()];
}

function getNoticeKey([first, ...others]: readonly LogPart[]): string {
  if (!first) return '';
  const { key, label, state, detail, recovery } = first;
  return JSON.stringify(others.length > 0 ? [detail] : [key, label, state, detail, recovery]);
}

/** Describes a part's state in a word or two. */
export function describePartState({ state, retryAt }: LogPart): string {
  if (state !== 'retrying' || retryAt === undefined) return getStateName(state);
  const seconds = Math.max(0, Math.ceil((retryAt - Date.now()) / 1_000));
  return l10n.t('retrying in {0} s', String(seconds));
}

function getStateName(state: LogPart['state']): string {
  switch (state) {
    case 'connecting':
      return l10n.t('connecting');
    case 'live':
      return l10n.t('live');
    case 'silent':
      return l10n.t('not responding');
    case 'retrying':
      return l10n.t('retrying');
    case 'stopped':
      return l10n.t('stopped');
  }
}
