import { useExtent } from '@/api';
import { Content, Page, Panel } from '@/shared';
import { Explorer } from './Explorer';
import { NoCosts } from './NoCosts';
import './costs.css';

/** The cost explorer. */
export function ExplorerPage() {
  const extent = useExtent();
  if (extent.data?.days) return <Explorer extent={extent.data.days} />;
  return (
    <Page title="Explorer" crumb="Costs">
      <Panel label="Costs">
        <Content of={extent} what="Costs could not be read">
          {() => <NoCosts />}
        </Content>
      </Panel>
    </Page>
  );
}
