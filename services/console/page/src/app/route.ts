import { Emitter } from '../model/emitter.js';

/** The pages, each with the code that it alone needs. */
export const pages = [
  { name: 'fly', title: 'Fly', load: () => import('../fly/fly_page.js') },
  { name: 'world', title: 'World', load: () => import('../world/world_page.js') },
  { name: 'lens', title: 'Lens', load: () => import('../lens/lens_page.js') },
  { name: 'players', title: 'Players', load: () => import('../players/players_page.js') },
  { name: 'incidents', title: 'Incidents', load: () => import('../incidents/incidents_page.js') },
  { name: 'dashboards', title: 'Dashboards', load: () => import('../dashboards/dashboards_page.js') },
  { name: 'ladder', title: 'Ladder', load: () => import('../ladder/ladder_page.js') },
] as const;

export type PageName = (typeof pages)[number]['name'];

/** The page that the address names: #/world, or #/dashboards/overview with a part. */
class Route extends Emitter {
  page: PageName = 'fly';
  part = '';

  begin(): void {
    const read = () => {
      const [name = '', part = ''] = location.hash.replace(/^#\/?/, '').split('/');
      this.page = pages.find((each) => each.name === name)?.name ?? 'fly';
      this.part = decodeURIComponent(part);
      this.changed();
    };
    addEventListener('hashchange', read);
    read();
  }
}

export const route = new Route();
