import { useExtent } from '@/api';
import { Content, Page, range } from '@/shared';
import { FirstRun } from './FirstRun';

/** One screen to decide what to do next. */
export function OverviewPage() {
  const extent = useExtent();
  return (
    <Page title="Overview">
      <Content of={extent} what="Costs could not be read">
        {({ days }) => (days ? <p>{range(days.from, days.to)}</p> : <FirstRun />)}
      </Content>
    </Page>
  );
}
