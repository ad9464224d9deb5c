import { append, set, together } from '../configEdits';
import { component, registryModule, service, variable } from '../configParts';
import type { FragmentPlan } from '../plan';

/** Software on all of the company's cabinet computers. */
export const edgeComputer: FragmentPlan = {
  key: 'edge-computer',
  name: 'edge-computer',
  daysAgo: 74,
  config: () => ({
    components: [
      component('sensor', 'edge-health', 'norrvik:edge-health:computer', {
        disks: ['/', '/var/lib/capture'],
        temperature_zones: ['cpu', 'nvme'],
      }),
    ],
    services: [
      service('data_manager', 'data-manager', 'rdk:builtin:builtin', {
        capture_dir: '/var/lib/capture',
        sync_interval_mins: variable('sync-interval-mins'),
        tags: [variable('site'), 'production'],
      }),
    ],
    modules: [registryModule('norrvik:edge-health', '1.3.0')],
    processes: [
      {
        id: 'node-exporter',
        name: '/usr/local/bin/node_exporter',
        args: ['--web.listen-address=127.0.0.1:9100', '--collector.systemd'],
        one_shot: false,
        log: false,
      },
    ],
  }),
  edits: [
    {
      daysAgo: 41,
      change: together(
        set('services.data-manager.attributes.delete_every_nth_when_disk_full', 5),
        set('services.data-manager.attributes.maximum_num_sync_threads', 4),
      ),
    },
    { daysAgo: 16, by: 'pipeline', change: set('modules.norrvik_edge-health.version', '1.4.2') },
    { daysAgo: 15, change: append('log', { pattern: 'rdk.networking.*', level: 'warn' }) },
  ],
};
