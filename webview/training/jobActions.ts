import type { JobDetail, PageJob } from '../../src/shared/training';
import { element } from '../ui/elements';
import { toolButton } from '../ui/toolButton';
import type { TrainingContext } from './trainingContext';

/** Callbacks and state for adding the selected job to the comparison or removing it. */
export interface JobComparing {
  readonly isCompared: (job: string) => boolean;
  readonly toggle: (job: string) => void;
}

/** Creates the action buttons of a job. */
export function jobActions(
  { id }: PageJob,
  { canCancel, canDelete, hasModel, hasDataset }: JobDetail,
  { host, strings, announce }: TrainingContext,
  comparing: JobComparing,
): HTMLElement {
  const { actions } = strings;
  const job = { job: id };
  const bar = element('div', { class: 'toolbar', role: 'toolbar', 'aria-label': actions.label });
  const add = (label: string, focusKey: string, onPress: () => void): void =>
    bar.append(toolButton(label, onPress, { focusKey, class: 'bordered' }));
  if (canCancel) add(actions.cancel, 'cancel', () => host.send('cancel', job));
  if (hasModel) {
    add(actions.deploy, 'deploy', () => host.send('deploy', job));
    add(actions.showModel, 'show model', () => host.send('showModel', job));
  }
  const { comparison } = strings;
  add(comparing.isCompared(id) ? comparison.remove : comparison.add, 'compare', () =>
    comparing.toggle(id),
  );
  add(actions.submitAgain, 'submit again', () => host.send('submitAgain', job));
  if (hasDataset) {
    add(actions.showDataset, 'show dataset', () => host.send('showDataset', job));
  }
  add(actions.copyId, 'copy id', () => {
    host.send('copyId', job);
    announce(actions.idCopied);
  });
  if (canDelete) add(actions.delete, 'delete', () => host.send('delete', job));
  return bar;
}
