/* gate.c - from transports to answers. */
#include "server/gate.h"

#include "answer/answer.h"
#include "base/check.h"
#include "base/publish.h"
#include "transport/transport.h"

_Static_assert(TRANSPORT_BATCH_MAX <= ANSWER_BATCH_MAX, "a batch is answered whole");

HOT void gate_answer(void *context, struct request *requests, uint32_t count, struct now now)
{
	struct gate *gate = context;

	answer_batch(gate->answerer, requests, count, now);
	/* The answers are octets in the slots: the batch holds no zone any more. */
	publish_quiescent();
}
