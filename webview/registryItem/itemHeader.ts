import type { PageItem } from '../../src/shared/registryItem';
import { button, element, toolButton } from '../ui/elements';
import { fillPlaceholders } from '../ui/format';
import type { ItemContext } from './itemContext';

export interface HeaderActions {
  readonly copyId: () => void;
  readonly refresh: () => void;
}

/** Creates the header with the item's name, owner, kind, and actions. */
export function itemHeader(
  item: PageItem,
  { host, strings }: ItemContext,
  { copyId, refresh }: HeaderActions,
  age: HTMLElement,
): HTMLElement {
  const { actions } = strings;
  const badges = item.badges.map((text) => element('span', { class: 'badge' }, text));
  const isDeprecated = item.deprecated !== undefined;
  return element(
    'header',
    {},
    element(
      'div',
      { class: 'titles' },
      element('h1', { dir: 'auto' }, item.name),
      element('p', { class: 'place', dir: 'auto' }, item.owner),
      element(
        'p',
        { class: 'badges' },
        ...badges,
        isDeprecated
          ? element('span', { class: 'badge warning' }, strings.deprecatedBadge)
          : undefined,
        age,
      ),
    ),
    element(
      'div',
      { class: 'toolbar', role: 'toolbar', 'aria-label': actions.label },
      item.canDeploy
        ? button(actions.deploy, () => host.send('deploy', {}), {
            focusKey: 'deploy',
            primary: true,
          })
        : undefined,
      tool(actions.copyId, copyId, 'copy id', item.id),
      item.url !== undefined
        ? tool(
            actions.openUrl,
            () => host.send('openUrl', undefined),
            'open url',
            fillPlaceholders(actions.openUrlHint, item.url),
          )
        : undefined,
      tool(actions.refresh, refresh, 'refresh'),
    ),
    isDeprecated
      ? element(
          'p',
          { class: 'deprecated', role: 'note', dir: 'auto' },
          fillPlaceholders(strings.deprecated, item.deprecated ?? ''),
        )
      : undefined,
  );
}

function tool(label: string, onPress: () => void, focusKey: string, hint?: string): HTMLElement {
  return toolButton(label, onPress, {
    focusKey,
    class: 'bordered',
    ...(hint !== undefined && { hint }),
  });
}
