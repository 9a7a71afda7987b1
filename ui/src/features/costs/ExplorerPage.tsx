import { useExtent } from '@/api';
import { Content, Page, Panel, range } from '@/shared';
import { NoCosts } from './NoCosts';

/** Where the money goes. */
export function ExplorerPage() {
  const extent = useExtent();
  return (
    <Page title="Explorer" crumb="Costs">
      <Panel label="Costs">
        <Content of={extent} what="Costs could not be read">
          {({ days }) => (days ? <p>{range(days.from, days.to)}</p> : <NoCosts />)}
        </Content>
      </Panel>
    </Page>
  );
}
