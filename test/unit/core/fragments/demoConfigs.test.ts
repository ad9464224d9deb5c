import assert from 'node:assert/strict';
import type { ConfigValue } from '../../../../src/core/fragments/configValue';
import { englishLocalizer } from '../../../../src/base/localizer';
import { checkConfig } from '../../../../src/core/configChecks/checkConfig';
import { resolveConfig } from '../../../../src/core/fragments/resolveConfig';
import { openFleet, readFleet } from '../../../support/loadedFleet';
import { TestClock } from '../../../support/testClock';

/** Loading the configs takes a second of processor time. */
const LOADING_TIMEOUT_MS = 120_000;

describe('the resolved configs of the demo fleet', function () {
  this.timeout(LOADING_TIMEOUT_MS);

  it('have no problem, no unset variable, and no two resources with one name', async () => {
    const { service, app } = await openFleet({ clock: new TestClock(), demo: true });
    const { parts, fragments } = await readFleet(app);
    await service.close();
    const library = new Map(fragments.map(({ id, fragment }) => [id, fragment]));
    const read = (id: string) => library.get(id) as ConfigValue | undefined;
    for (const [id, fragment] of library) {
      const options = { resolved: undefined, isFragment: true, l10n: englishLocalizer };
      assert.deepEqual(checkConfig(JSON.stringify(fragment), options), [], id);
    }
    let withFragments = 0;
    for (const { name, robotConfigJson } of parts) {
      const { config, origins, problems } = resolveConfig(
        JSON.parse(robotConfigJson ?? '{}'),
        read,
      );
      assert.deepEqual(problems, [], name);
      const text = JSON.stringify(config);
      const options = { resolved: { config }, isFragment: false, l10n: englishLocalizer };
      assert.deepEqual(checkConfig(robotConfigJson ?? '{}', options), [], name);
      assert.doesNotMatch(text, /\$variable|"fragments"|"fragment_mods"/, name);
      if (origins.length > 0) withFragments += 1;
    }
    assert.ok(withFragments > 10, `${withFragments} parts use fragments`);
  });
});
