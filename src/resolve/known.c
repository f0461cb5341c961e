/* known.c - the kinds of what is kept, in the order in which they answer. */
#include "resolve/known.h"

#include "resolve/core.h"
#include "resolve/job.h"
#include "resolve/search.h"
#include "resolve/store.h"
#include "wire/rrtype.h"

#define TYPE_ANY 255u

/* One stored value becomes a result; false: no room in the arena. */
static bool take_stored(const struct stored *stored, enum search_end end, struct arena *arena,
	struct search_result *out)
{
	out->end = end;
	out->status = stored->status;
	out->ede = stored->ede;
	out->stale = stored->expired;
	out->hits = stored->hits + 1;
	out->set_count = stored->set_count;
	out->answer_count = end == SEARCH_SET || end == SEARCH_ALIAS ? 1 : 0;
	out->ttl_s = stored->ttl_s;
	for (uint32_t i = 0; i < stored->set_count; i++) {
		uint32_t ttl = stored->sets[i]->ttl;
		ttl = ttl > stored->age_s ? ttl - stored->age_s : 0;
		out->ttls[i] = ttl < stored->ttl_s ? ttl : stored->ttl_s;
		out->sets[i] = arena == NULL ? stored->sets[i] : rrset_copy(arena, stored->sets[i]);
		if (out->sets[i] == NULL) {
			return false;
		}
	}
	return true;
}

/* Where an entry of the cache says something of a name. */
struct spot {
	enum store_kind kind;
	uint16_t type;
	enum search_end end;
};

/* What is there, in this order; of what has expired that which came last, for the name may have changed. */
static bool find_stored(struct resolve *core, const struct name *name, uint16_t type, bool stale,
	struct stored *stored, enum search_end *end)
{
	/* DS is the parent's: what the child says of an alias there does not matter. */
	bool alias = type != RRTYPE_CNAME && type != RRTYPE_DS;
	const struct spot places[] = {{STORE_SET, type, SEARCH_SET},
		{STORE_SET, alias ? RRTYPE_CNAME : type, alias ? SEARCH_ALIAS : SEARCH_SET},
		{STORE_ABSENT, 0, SEARCH_NXDOMAIN}, {STORE_ABSENT, type, SEARCH_NODATA}};
	bool found = false;

	for (uint32_t i = 0; i < sizeof(places) / sizeof(places[0]); i++) {
		struct stored one;
		if (!store_get(core, places[i].kind, name, places[i].type, stale,
			    found ? &one : stored) ||
			(found && one.age_s >= stored->age_s)) {
			continue;
		}
		*stored = found ? one : *stored;
		*end = places[i].end;
		found = true;
		if (!stale) {
			break;
		}
	}
	return found;
}

/* A DNAME above the name, or a secure proof that an ancestor does not exist (RFC 8020). */
static bool find_above(struct resolve *core, const struct name *name, bool stale,
	struct stored *stored, enum search_end *end)
{
	for (uint32_t labels = name->label_count; labels-- > 1;) {
		struct name above;
		name_ancestor(name, labels, &above);
		*end = SEARCH_ALIAS;
		if (store_get(core, STORE_SET, &above, RRTYPE_DNAME, stale, stored)) {
			return true;
		}
		*end = SEARCH_NXDOMAIN;
		if (store_get(core, STORE_ABSENT, &above, 0, stale, stored) &&
			stored->status == DNSSEC_SECURE) {
			return true;
		}
	}
	return false;
}

/* What was never checked has places of its own. */
static bool find_unchecked(struct resolve *core, const struct name *name, uint16_t type,
	struct stored *stored, enum search_end *end)
{
	*end = SEARCH_SET;
	if (store_get(core, STORE_UNCHECKED_SET, name, type, false, stored)) {
		return true;
	}
	*end = SEARCH_ALIAS;
	if (type != RRTYPE_CNAME && type != RRTYPE_DS &&
		store_get(core, STORE_UNCHECKED_SET, name, RRTYPE_CNAME, false, stored)) {
		return true;
	}
	*end = SEARCH_NXDOMAIN;
	if (store_get(core, STORE_UNCHECKED_ABSENT, name, 0, false, stored)) {
		return true;
	}
	*end = SEARCH_NODATA;
	return store_get(core, STORE_UNCHECKED_ABSENT, name, type, false, stored);
}

bool known_get_unchecked(struct resolve *core, const struct name *name, uint16_t type,
	struct arena *arena, struct search_result *out)
{
	struct stored stored;
	enum search_end end;

	return type != TYPE_ANY && find_unchecked(core, name, type, &stored, &end) &&
	       take_stored(&stored, end, arena, out);
}

bool known_get(struct resolve *core, const struct name *name, uint16_t type, bool stale_ok,
	struct arena *arena, struct search_result *out)
{
	struct stored stored;
	enum search_end end;

	if (type == TYPE_ANY) {
		return false;
	}
	bool found = find_stored(core, name, type, false, &stored, &end) ||
		     find_above(core, name, false, &stored, &end) ||
		     (stale_ok && (find_stored(core, name, type, true, &stored, &end) ||
					  find_above(core, name, true, &stored, &end)));
	return found && take_stored(&stored, end, arena, out);
}

void known_remember_failure(
	struct resolve *core, const struct name *name, uint16_t type, uint8_t status, int16_t ede)
{
	const struct stored what = {.status = status, .ede = ede};

	store_put_ms(core, STORE_FAILURE, name, type, &what, STORE_FAILURE_MS);
}

bool known_failure(struct resolve *core, const struct name *name, uint16_t type,
	uint8_t *status_out, int16_t *ede_out)
{
	struct stored stored;

	if (!store_get(core, STORE_FAILURE, name, type, false, &stored)) {
		return false;
	}
	*status_out = stored.status;
	*ede_out = stored.ede;
	return true;
}

/* DS of a delegation came along with the referral: a response that needs no fetch. That there is none is asked for: what the
 * referral proves lacks the SOA that a denial has (RFC 2308 sec 3), and validators behind us refuse it.
 */
bool known_ds(struct job *job, struct search_result *result)
{
	struct stored stored;

	if (!store_get(job->core, STORE_CUT, &job->name, 0, false, &stored)) {
		return false;
	}
	for (uint32_t i = 0; i < stored.set_count; i++) {
		const struct rrset *set = stored.sets[i];
		if (set->type != RRTYPE_DS || set->ttl <= stored.age_s) {
			continue;
		}
		*result = (struct search_result){.end = SEARCH_SET,
			.ede = EDE_NONE,
			.ttl_s = set->ttl - stored.age_s,
			.answer_count = 1,
			.set_count = 1};
		result->ttls[0] = result->ttl_s;
		result->sets[0] = rrset_copy(&job->arena, set);
		return result->sets[0] != NULL;
	}
	return false;
}

/* An address of a server as the parent of its zone told it: true, and the result holds it. */
bool known_glue(struct job *job, struct search_result *result)
{
	for (uint32_t labels = job->name.label_count; labels > 0; labels--) {
		struct name zone;
		struct stored stored;
		name_ancestor(&job->name, labels, &zone);
		if (!store_get(job->core, STORE_CUT, &zone, 0, false, &stored)) {
			continue;
		}
		for (uint32_t i = 0; i < stored.set_count; i++) {
			if (!rrset_is(stored.sets[i], &job->name, job->type)) {
				continue;
			}
			*result = (struct search_result){.end = SEARCH_SET,
				.ede = EDE_NONE,
				.ttl_s = stored.ttl_s,
				.answer_count = 1,
				.set_count = 1,
				.ttls = {stored.ttl_s}};
			result->sets[0] = rrset_copy(&job->arena, stored.sets[i]);
			return result->sets[0] != NULL;
		}
	}
	return false;
}
